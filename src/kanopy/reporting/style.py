"""How a report looks: one sheet for light, dark and paper. Contrast is at least 4.5 to 1 for every text."""

STYLE = """
:root{color-scheme:light dark;
--paper:#fff;--ink:#1b2733;--soft:#55636f;--line:#d5dce2;--wash:#f3f6f8;--good:#0b6b3a;--good-wash:#e9f5ee;
--bad:#a61b1b;--bad-wash:#fdeeee;--bar:#2a6f97;--marked:#b3541e;
--k0:#b5d3e4;--k1:#4b8fb5;--k2:#1f4e6b;--k3:#c9ced3;--on0:#10202c;--on1:#0a141b;--on2:#fff;--on3:#10202c;
--s0:#1f6fa3;--s1:#b3541e;--s2:#0b7a4b;--s3:#8a3d8f;--s4:#8a6d00;--s5:#b0254e;--s6:#4d5a66;--s7:#3d4fb0}
@media (prefers-color-scheme:dark){:root{
--paper:#12181e;--ink:#e6ebf0;--soft:#a3b0bb;--line:#34414c;--wash:#1b242c;--good:#6fd39b;--good-wash:#14281e;
--bad:#ff9a9a;--bad-wash:#331818;--bar:#5aa9d6;--marked:#f0955c;
--k0:#2f5d78;--k1:#5aa2cb;--k2:#c3e0f0;--k3:#55616b;--on0:#fff;--on1:#0a141b;--on2:#0a141b;--on3:#fff;
--s0:#6db7e8;--s1:#f0955c;--s2:#5fcf98;--s3:#d79adb;--s4:#dfc04a;--s5:#ff8fab;--s6:#b7c3cd;--s7:#a3b0ff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2.5rem 1.5rem 3rem;max-width:54rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 1.2rem;text-wrap:balance}
h2{font-size:1.25rem;margin:2.8rem 0 .7rem;padding-top:1.1rem;border-top:1px solid var(--line)}
p,li{unicode-bidi:isolate;overflow-wrap:anywhere}
p{margin:.6rem 0}
.brand{margin:0;color:var(--soft);font-weight:600;letter-spacing:.04em}
.verdict{padding:1rem 1.2rem;border-left:5px solid;border-radius:4px}
.verdict p{margin:0;color:var(--ink)}
.verdict .verdict-word{font-size:1.3rem;font-weight:700;margin-bottom:.3rem}
.good{background:var(--good-wash);border-color:var(--good)}
.good .verdict-word{color:var(--good)}
.good .verdict-word::before{content:"\\2713\\00a0"}
.bad{background:var(--bad-wash);border-color:var(--bad)}
.bad .verdict-word{color:var(--bad)}
.bad .verdict-word::before{content:"\\2717\\00a0"}
.neutral{background:var(--wash);border-color:var(--bar)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.8rem;margin:1.2rem 0 0}
.figures div{display:flex;flex-direction:column-reverse;justify-content:flex-end;background:var(--wash);
border-radius:6px;padding:.8rem 1rem}
.figures dt{color:var(--soft);font-size:.9rem;line-height:1.3}
.figures dd{margin:0;font-size:1.55rem;font-weight:650;line-height:1.25;font-variant-numeric:tabular-nums}
ul{padding-left:1.4rem;margin:.6rem 0}
li{margin:.35rem 0}
ul.kept{list-style:none;padding:0}
ul.kept li{padding:.5rem .9rem .5rem 2.2rem;margin:.45rem 0;background:var(--good-wash);border-radius:4px;
text-indent:-1.3rem;font-weight:550}
ul.kept li::before{content:"\\2713";color:var(--good);font-weight:700;display:inline-block;width:1.3rem;
text-indent:0}
.remark,.faint{color:var(--soft)}
.remark{font-size:.92rem}
th,td{overflow-wrap:break-word}
p bdi,li bdi{font-weight:600}
figure{margin:1.3rem 0 1.6rem;break-inside:avoid}
figcaption{font-weight:600;margin-bottom:.5rem}
figure>svg{display:block;width:100%;height:auto}
svg text{font-size:13px;fill:var(--ink);unicode-bidi:isolate}
svg .end{text-anchor:end}
svg .middle{text-anchor:middle}
svg .tick{font-size:12px;fill:var(--soft)}
svg .figure{font-variant-numeric:tabular-nums}
.axis{stroke:var(--soft);stroke-width:1}
.grid{stroke:var(--line);stroke-width:1}
.reference{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:6 4}
.bar{fill:var(--bar)}
.marked{fill:var(--marked)}
.kind0{fill:var(--k0)}.kind1{fill:var(--k1)}.kind2{fill:var(--k2)}.kind3{fill:var(--k3)}
svg .on-kind0,svg .on-kind1,svg .on-kind2,svg .on-kind3{text-anchor:middle;font-size:12px}
svg .on-kind0{fill:var(--on0)}svg .on-kind1{fill:var(--on1)}
svg .on-kind2{fill:var(--on2)}svg .on-kind3{fill:var(--on3)}
.s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}
.s4{--c:var(--s4)}.s5{--c:var(--s5)}.s6{--c:var(--s6)}.s7{--c:var(--s7)}
.line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}
.whisker{fill:none;stroke:var(--c);stroke-width:1.2;opacity:.75}
.marker{fill:var(--c);stroke:var(--paper);stroke-width:1}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.2rem 0 .5rem;font-size:.92rem}
.legend span{display:inline-flex;align-items:center;gap:.4rem}
details{margin-top:.4rem;font-size:.92rem}
summary{color:var(--soft);cursor:pointer}
.wide{overflow-x:auto;margin:1rem 0}
.many table{font-size:.84rem}
.many th,.many td{padding:.35rem .45rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{text-align:left;font-weight:600;padding-bottom:.4rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;border-bottom:2px solid var(--line)}
tbody th{font-weight:550}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}
@page{margin:16mm}
@media print{:root{color-scheme:light;
--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--wash:#f3f6f8;--good:#0b6b3a;--good-wash:#e9f5ee;
--bad:#a61b1b;--bad-wash:#fdeeee;--bar:#2a6f97;--marked:#b3541e;
--k0:#b5d3e4;--k1:#4b8fb5;--k2:#1f4e6b;--k3:#c9ced3;--on0:#10202c;--on1:#0a141b;--on2:#fff;--on3:#10202c;
--s0:#1f6fa3;--s1:#b3541e;--s2:#0b7a4b;--s3:#8a3d8f;--s4:#8a6d00;--s5:#b0254e;--s6:#4d5a66;--s7:#3d4fb0}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{max-width:none;padding:0;font-size:10.5pt}
h2{break-after:avoid}
tr,li,.verdict,.figures{break-inside:avoid}
thead{display:table-header-group}
.wide{overflow:visible}
table,.many table{font-size:8pt}
th,td,.many th,.many td{padding:.25rem .35rem}
.crowded th,.crowded td{overflow-wrap:anywhere}
.many table{font-size:7.5pt}
details{display:none}}
""".strip()
