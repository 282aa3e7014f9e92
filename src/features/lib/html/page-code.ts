// The style that reports, comparisons and the view share, and the script of a report. Its Content-Security-Policy names them by their hashes; everything that the script does is an
// addition: without it the whole text is there, and the filters work.

export const PAGE_STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--muted:#57606a;--back:#fff;--panel:#f3f5f7;--line:#d0d7de;--link:#0550ae;--error:#a40e26;--warning:#7d4e00;--did:#0550ae;--held:#116329}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--muted:#9ea7b3;--back:#0d1117;--panel:#171d25;--line:#3d444d;--link:#79b8ff;--error:#ff9a92;--warning:#e3b341;--did:#79b8ff;--held:#56d364}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:1.6rem 0 .5rem}h3{font-size:1rem;margin:0 0 .4rem}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.subtitle{color:var(--muted);margin:.2rem 0 .6rem}h1,h3,pre,.text,.subtitle,dd,th,td{overflow-wrap:anywhere}
pre,.text,.time{font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap;margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dt{color:var(--muted)}dd{margin:0}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0}.counts li{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.2rem .7rem}
.verdict{border:1px solid var(--line);border-left:4px solid var(--muted);border-radius:6px;background:var(--panel);padding:.6rem .8rem;margin:.6rem 0;overflow-wrap:anywhere}.verdict p{margin:0}.verdict ul{list-style:none;margin:.3rem 0 0;padding:0}
.verdict.pass{border-left-color:var(--held)}.verdict.error{border-left-color:var(--error)}.verdict.warning{border-left-color:var(--warning)}.pass>strong,.pass>p>strong{color:var(--held)}.error>strong,.error>p>strong{color:var(--error)}.warning>strong,.warning>p>strong{color:var(--warning)}
.part{border-top:1px solid var(--line)}.part>summary{cursor:pointer;padding:.5rem 0}.part>summary>h2{display:inline;margin:0}.part[open]{padding-bottom:.8rem}.muted{color:var(--muted)}
.failure{border:1px solid var(--line);border-left:4px solid var(--error);border-radius:6px;background:var(--panel);padding:.8rem;margin:.8rem 0}
.filters{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;background:var(--back);border-bottom:1px solid var(--line);padding:.5rem 0}
input[type=search]{font:inherit;color:inherit;background:var(--back);border:1px solid var(--muted);border-radius:6px;padding:.2rem .5rem}
#timeline{list-style:none;padding:0;margin:0}
.entry{display:grid;grid-template-columns:5.5rem 8rem 1fr;gap:0 .6rem;padding:.25rem 0;border-bottom:1px solid var(--line);scroll-margin-top:4rem}
.entry:target,.failure:target{outline:2px solid var(--link)}
.time{color:var(--muted)}.kind{color:var(--muted)}.action .text,.check .text{font:inherit}.action .text{font-weight:600}.action .kind{color:var(--did)}.check .kind,.check .text{color:var(--held)}.silent .text{font-weight:400;color:var(--muted)}
.error .kind,.error .text,.failure h3{color:var(--error)}.warning .kind{color:var(--warning)}
.more{grid-column:3}.changes{border-left:3px solid var(--line);padding-left:.6rem}
img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:4px;margin:.4rem 0}.failure img{max-height:26rem;width:auto}
.marked{position:relative;justify-self:start}.marked svg{position:absolute;inset:.4rem 0;width:100%;height:calc(100% - .8rem)}.marked rect{fill:none;stroke:#d1242f;stroke-width:3;vector-effect:non-scaling-stroke}.failure .sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:.3rem 1rem;align-items:start}.cause{font-weight:600;margin:0 0 .4rem;overflow-wrap:anywhere}.before{margin:0 0 .4rem;overflow-wrap:anywhere}.failure p:last-child{margin:.4rem 0 0}
li>.held{display:inline}.errors{list-style:none;padding:0}.errors li{border-left:3px solid var(--error);padding:.1rem 0 .1rem .6rem;margin:.5rem 0}.frame{background:var(--panel);border-radius:4px;padding:.3rem .6rem;margin:.3rem 0}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line)}
[hidden]{display:none!important}
${['action', 'check', 'page', 'console', 'request', 'server'].map((kind) => `:root:has(#show-${kind}:not(:checked)) .entry.${kind}`).join()},:root:has(#problems:checked) .entry:not(.error,.warning){display:none}
@media (max-width:40rem){.filters{position:static}.entry{display:block;scroll-margin-top:0}.time,.kind{display:inline-block;margin-right:.6rem}}
@media print{:root{color-scheme:light;--text:#000;--muted:#444;--back:#fff;--panel:#fff;--line:#bbb;--link:#000;--error:#8a0c20;--warning:#5f3b00;--did:#0550ae;--held:#116329}.filters,.part:not([open]){display:none}body{max-width:none;font-size:10pt}.entry,.failure img{break-inside:avoid}h2,h3{break-after:avoid}}
`

export const REPORT_SCRIPT = `
const parts = [...document.querySelectorAll('details')]
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1)), part = target?.closest('details')
  if (part && !part.open) { part.open = true; target.scrollIntoView() }
}
addEventListener('hashchange', reveal)
addEventListener('beforeprint', () => parts.forEach((part) => { part.open = true }))
addEventListener('focusin', ({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
reveal()
const search = document.querySelector('#search'), shown = document.querySelector('#shown')
const entries = [...document.querySelectorAll('.entry')].map((entry) => [entry, entry.textContent.toLowerCase()])
search.closest('[hidden]').hidden = false
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/)
  let count = 0
  for (const [entry, text] of entries) {
    entry.hidden = !words.every((word) => text.includes(word))
    if (!entry.hidden) count += 1
  }
  shown.textContent = search.value.trim() === '' ? '' : count + ' of ' + entries.length
})
`
