// The page of the view, as one document that has nothing of a session. It looks like a report.

import { createHash } from 'node:crypto'
import { PAGE_STYLE } from '../lib/html/page-code.ts'
import { markup, printPage } from '../lib/html/print-html.ts'
import { TIMELINE_FILTERS } from '../lib/html/render-html.ts'
import { startServerView } from './in-page/generated.ts'

const STYLE = `
body{max-width:none;padding-top:.5rem}
header,.head{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:baseline}header p,.head p,main>section>p{margin:0}h1{font-size:1.2rem}h2{margin:.2rem 0}
code{font:.9em ui-monospace,monospace}
button,input,textarea{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--muted);border-radius:6px;padding:.25rem .8rem}
button:disabled{opacity:.6}button[aria-pressed=true]{border-color:var(--link);box-shadow:inset 0 0 0 1px var(--link)}
textarea{width:100%;display:block}
button.wanted{background:var(--link);border-color:var(--link);color:var(--back);font-weight:600}
#problem,.failures{color:var(--error)}
#cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:1rem;list-style:none;padding:0}
#cards a{display:block;height:100%;border:1px solid var(--line);border-radius:6px;padding:.7rem;background:var(--panel);color:inherit;text-decoration:none;overflow-wrap:anywhere}
#cards .waits{border-color:var(--error);box-shadow:0 0 0 2px var(--error)}
#cards p{margin:0}#cards .muted{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}#facts{overflow-wrap:anywhere}.reason{color:var(--error);font-weight:600}
#cards img,#picture{display:block;width:100%;margin:0;background:var(--back)}#cards img{aspect-ratio:16/9;object-fit:contain;margin-bottom:.4rem}
.columns{display:grid;grid-template-columns:minmax(0,1fr) clamp(17rem,27%,28rem);gap:0 1.5rem;align-items:start}
.side{display:flex;flex-direction:column;max-height:max(30rem,100vh - 6rem)}.side h3{margin:.6rem 0 .2rem}#history{display:flex;flex-direction:column;min-height:0;container-type:inline-size}
.bar{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;min-height:2.6rem}.bar:has(>:only-child[hidden]){display:none}.bar form{display:flex;flex-wrap:wrap;gap:.5rem}
#stage{position:relative;outline:1px solid var(--line);margin:.6rem auto 0;max-width:calc(max(24rem,100vh - 12rem)*var(--ratio,16/9))}#picture{aspect-ratio:16/9;border:0;border-radius:0}
#stage.mine{outline:4px solid var(--error);outline-offset:1px}#stage:focus-within{outline-width:6px}#stage.pointing{cursor:crosshair}
#keys{position:absolute;inset:0;height:100%;opacity:0;cursor:default;resize:none;border:0;padding:0}
#box{position:absolute;border:2px solid #0969da;background:#0969da26;pointer-events:none}
#marks{position:absolute;inset:0;pointer-events:none}#marks .pinNumber{position:absolute;transform:translate(-40%,-60%)}
.pinNumber{display:inline-block;min-width:1.5rem;line-height:1.5rem;border-radius:.75rem;text-align:center;font-size:.85rem;font-weight:700;color:#fff;background:#0550ae;outline:1px solid #fff}
.pinNumber.done,.done .pinNumber{background:#116329}.pinNumber.question,.question .pinNumber{background:#a40e26}.pinNumber.draft,.draft .pinNumber{background:#57606a}
#pinStates{margin:0}#pinList{list-style:none;padding:0;margin:0;max-height:max(12rem,35vh);overflow:auto}.pin{border-top:1px solid var(--line);padding:.4rem 0}.pin p{margin:0;overflow-wrap:anywhere}.pinWords{white-space:pre-wrap}.pinState{font-weight:600}
#pointed{min-height:1.5rem;margin:.4rem 0;overflow-wrap:anywhere}
#timeline{overflow:auto;min-height:10rem}.entry{grid-template-columns:4.2rem 6.5rem minmax(0,1fr)}.filters{position:static;font-size:.9rem;padding:.2rem 0;border:0}summary{color:var(--muted);cursor:pointer}
@container (max-width:24rem){.entry{display:block}.time,.kind{display:inline-block;margin-right:.6rem}.text{display:block}}
@media (max-width:55rem){.columns{grid-template-columns:minmax(0,1fr)}.side,#pinList{max-height:none}#timeline{max-height:70vh}}
`

const BODY = markup`
<header><h1>Footlight</h1><p id="state" role="status">Connecting …</p><p id="problem" role="alert"></p></header>
<main>
<section id="grid" aria-labelledby="sessions" hidden>
<h2 id="sessions">Sessions</h2>
<p id="none" hidden>No session is open. <code>footlight open URL</code> opens one, and so does an agent with <code>create_session</code>.</p>
<ul id="cards"></ul>
</section>
<section id="session" aria-labelledby="name" hidden>
<div class="head"><a href="#/">All sessions</a><h2 id="name"></h2><p id="facts" class="muted"></p><p id="failures" class="failures"></p></div>
<p id="reason" class="reason"></p>
<div class="columns">
<div>
<div class="bar"><button id="take">Take over</button><button id="point" aria-pressed="false">Comment</button>
<form id="return" hidden><label>Note <input id="note" maxlength="2000" autocomplete="off"></label><button>Return</button></form></div>
<div id="stage" role="group" aria-label="The page" tabindex="-1"><img id="picture" alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="><div id="box" hidden></div><div id="marks" aria-hidden="true"></div><textarea id="keys" hidden autocomplete="off" autocapitalize="off" spellcheck="false" aria-label="The page: mouse and keyboard go there. Control Alt Escape returns the session."></textarea></div>
<p id="pointed" class="muted" role="status"></p>
</div>
<div class="side">
<form id="comment" hidden><label>What do you say about it? <textarea id="words" rows="3" maxlength="4000" required></textarea></label><div class="bar"><button>Send</button><button id="more">Add another</button><button type="button" id="cancel">Cancel</button></div></form>
<section id="pins" aria-labelledby="pinTitle" hidden><h3 id="pinTitle">Comments</h3>
<p id="pinStates" role="status"></p>
<ol id="pinList" aria-labelledby="pinTitle"></ol>
<div class="bar"><button id="sendAll" hidden>Send</button></div>
</section>
<section id="history" aria-labelledby="entries"><h3 id="entries">Timeline</h3>
<details><summary>Filter and search</summary><div class="filters" role="group" aria-label="Filter of the timeline">
${TIMELINE_FILTERS}
</div></details>
<p id="dropped" class="muted" hidden></p>
<ol id="timeline" tabindex="0" aria-label="Entries of the timeline"></ol>
</section>
</div>
</div>
</section>
<noscript><p>The view needs JavaScript.</p></noscript>
</main>
`

/** None: a browser would ask for one. */
const ICON = markup`<link rel="icon" href="data:,">`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The document, and the Content-Security-Policy that allows its own style and script, pictures within it, and requests to its own origin.
 * With `startHostView` it is one for a host of MCP Apps, which has its own policy. */
export function viewPage(startView: () => void = startServerView): {
  readonly html: string
  readonly policy: string
} {
  const script = `(${String(startView)})()`
  const style = PAGE_STYLE + STYLE
  return {
    html: printPage({ title: 'Footlight', head: ICON, body: BODY, style, script }),
    policy: `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}
