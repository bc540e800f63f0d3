extension BrowsePage {
  /// The style of pages: light or dark as the reader has chosen, in one column where there is little space.
  static let style = """
    :root{color-scheme:light dark;--ground:#fff;--panel:#f4f5f7;--ink:#14181f;--soft:#505866;--line:#d5d9e0;
    --link:#0b57d0;--focus:#0b57d0;--string:#0a6640;--head:#e9ecf1}
    @media(prefers-color-scheme:dark){:root{--ground:#111418;--panel:#191d23;--ink:#e6e9ee;--soft:#a9b1bd;
    --line:#343a44;--link:#8ab4ff;--focus:#8ab4ff;--string:#7fd8a8;--head:#20262e}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
    a{color:var(--link)}a:visited{color:var(--link)}
    :focus-visible{outline:2px solid var(--focus);outline-offset:2px}h2:focus{outline:none}
    header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;padding:.7rem 1rem;
    background:var(--panel);border-bottom:1px solid var(--line)}
    h1{font-size:1.1rem;margin:0;overflow-wrap:anywhere}header p{margin:0;color:var(--soft)}
    header form{margin-left:auto}
    input,select,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);
    border-radius:6px;padding:.25rem .55rem}
    button{cursor:pointer}button:disabled{opacity:.45;cursor:default}
    .frame{display:grid;grid-template-columns:minmax(9rem,15rem) minmax(0,1fr)}
    .side{border-right:1px solid var(--line);padding:.8rem 1rem;min-height:calc(100vh - 4rem)}
    .side h2{font-size:.9rem;margin:0 0 .4rem;color:var(--soft)}
    .side ul{list-style:none;margin:0;padding:0}
    .side a{display:flex;justify-content:space-between;gap:.6rem;padding:.2rem .5rem;border-radius:6px;
    text-decoration:none;color:inherit;overflow-wrap:anywhere}
    .side a:hover{background:var(--panel)}.side a[aria-current]{background:var(--head);font-weight:600}
    .count{color:var(--soft);font-variant-numeric:tabular-nums}
    main{padding:.8rem 1.2rem;min-width:0}
    main h2{margin:.1rem 0 .5rem;font-size:1.35rem;overflow-wrap:anywhere}h3{margin:1.2rem 0 .4rem}
    h4{margin:.8rem 0 .2rem}
    .tools{display:flex;flex-wrap:wrap;gap:.45rem;align-items:center;margin:.5rem 0}
    .tools input{flex:1 1 12rem;max-width:24rem;min-width:0}.tools select{max-width:12rem}
    .scroll{overflow:auto;max-height:calc(100vh - 14rem);min-height:8rem;border:1px solid var(--line);
    border-radius:8px}
    table{border-collapse:collapse;font-size:14px;min-width:100%}
    th,td{text-align:left;padding:.28rem .7rem;border-bottom:1px solid var(--line);max-width:22rem;
    overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:top}
    thead th{position:sticky;top:0;background:var(--head);z-index:1;padding:.1rem .2rem}
    thead button{border:0;background:none;font-weight:600;width:100%;text-align:left;padding:.25rem .5rem}
    th[aria-sort=ascending] button::after{content:" ▲"/"";color:var(--soft)}
    th[aria-sort=descending] button::after{content:" ▼"/"";color:var(--soft)}
    tbody tr:hover{background:var(--panel)}
    .number{text-align:right;font-variant-numeric:tabular-nums}.string{color:var(--string)}
    .nil,.kind{color:var(--soft)}.nil{font-style:italic}.kind{font-weight:400;font-size:.88em}
    dl{margin:.3rem 0;border:1px solid var(--line);border-radius:8px;overflow:hidden}
    dl>div{display:grid;grid-template-columns:minmax(7rem,16rem) minmax(0,1fr);gap:.2rem 1rem;padding:.3rem .7rem;
    border-bottom:1px solid var(--line)}dl>div:last-child{border:0}
    dt{font-weight:600;overflow-wrap:anywhere}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
    .elements{margin:.2rem 0;padding-left:2.4rem}.elements li{overflow-wrap:anywhere}ul.elements{padding-left:1.2rem}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--ground);padding:.4rem;
    z-index:9}
    @media(max-width:44rem){.frame{display:block}.side{border-right:0;border-bottom:1px solid var(--line);
    min-height:0;padding:.6rem 1rem}.side ul{display:flex;flex-wrap:wrap;gap:.2rem;max-height:8.5rem;overflow:auto}
    .side a{padding:.15rem .5rem;border:1px solid var(--line)}main{padding:.6rem .8rem}
    header form{margin-left:0;width:100%}header input{width:calc(100% - 6rem)}
    dl>div{grid-template-columns:minmax(0,1fr)}.scroll{max-height:none}}
    """
}
