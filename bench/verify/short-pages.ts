// Pages that are merely short, load, or are of another kind, as what a link or a button of a full page leads to.

export interface ShortPage {
  readonly name: string
  readonly body: string
  readonly type?: string
  /** Milliseconds until the answer. */
  readonly delay?: number
  /** Whether it can replace the content of the page that is open as well. */
  readonly isPart?: boolean
  /** Whether a page with nothing at all comes first. */
  readonly isLate?: boolean
}

const later = (ms: number, text = 'Here') => `setTimeout(() => { document.body.append('${text}') }, ${ms})`
const script = (code: string) => `<script>${code}</script>`
const PIXEL =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='30' height='30'><rect width='30' height='30'/></svg>"
const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'

const WORDS = ['OK', '1', '…', '✓', 'Done', 'Bye', '404', '—', 'Привет', '空']

const part = (name: string, bodies: readonly string[]): readonly ShortPage[] =>
  bodies.map((body) => ({ name, body, isPart: true }))
const late = (name: string, bodies: readonly string[]): readonly ShortPage[] =>
  bodies.map((body) => ({ name, body, isLate: true }))
const sizes = [8, 24, 40, 64, 120, 200, 320, 500, 800, 1100]

/** 200 pages; those that are parts come twice. */
export const shortPages: readonly ShortPage[] = [
  ...part('text of one word', WORDS),
  ...part('one field', [
    '<input>',
    '<textarea></textarea>',
    '<select><option></option></select>',
    '<button></button>',
    '<input type="checkbox">',
    '<input type="range">',
    '<input type="color">',
    '<input type="file">',
    '<form><input type="password"></form>',
    '<div contenteditable style="border:1px solid;height:20px"></div>',
  ]),
  ...part(
    'spinner',
    sizes.map((size, index) =>
      index % 3 === 0
        ? `<style>@keyframes t{to{transform:rotate(1turn)}}</style><div style="width:${size}px;height:${size}px;border:3px solid #ccc;border-top-color:#000;border-radius:50%;animation:t 1s linear infinite"></div>`
        : index % 3 === 1
          ? `<style>i::before{content:'';display:block;width:${size}px;height:${size}px;background:#99f}</style><i></i>`
          : `<svg width="${size}" height="${size}"><circle cx="4" cy="4" r="3"/></svg>`,
    ),
  ),
  ...part(
    'skeleton',
    sizes.map((size) =>
      `<div style="width:${size}px;height:12px;margin:8px;background:#eee;border-radius:4px"></div>`.repeat(
        3,
      ),
    ),
  ),
  ...part(
    'canvas',
    sizes.map((size) => `<canvas width="${size}" height="${size / 2}"></canvas>`),
  ),
  ...part(
    'picture',
    sizes.map((size, index) =>
      index % 2
        ? `<img src="${PIXEL}" width="${size}">`
        : `<div style="width:${size}px;height:90px;background:url(&quot;${PIXEL}&quot;)"></div>`,
    ),
  ),
  ...part(
    'frame',
    sizes.map(
      (size, index) =>
        `<iframe width="${size}" height="80" ${index % 2 ? 'src="/full"' : 'srcdoc=""'}></iframe>`,
    ),
  ),
  ...part('other element', [
    '<progress></progress>',
    '<meter value=".5"></meter>',
    '<hr>',
    '<video width="200" height="90"></video>',
    '<audio controls></audio>',
    '<object data="/full" width="100" height="90"></object>',
    '<dialog open></dialog>',
    '<details><summary></summary></details>',
    '<table border="1"><tr><td>&nbsp;</td></tr></table>',
    '<ul><li>a</li></ul>',
  ]),
  ...part(
    'list mark, box or line',
    sizes.map((size) => `<div style="width:${size}px;border-bottom:1px solid #aaa"></div>`),
  ),
  ...part(
    'fading in',
    sizes.map(
      (size) =>
        `<style>@keyframes f{from{opacity:0}}</style><p style="animation:f ${size * 3}ms both">Here</p>`,
    ),
  ),
  ...late(
    'content by a timer',
    sizes.map((size) => script(later(size * 3))),
  ),
  ...late(
    'content by a request',
    sizes.map((size) =>
      script(`fetch('/slow?ms=${size * 3}').then((r) => r.text()).then((t) => document.body.append(t))`),
    ),
  ),
  ...late(
    'content by a module',
    sizes.map((size) => script(`import('/module?ms=${size * 2}')`)),
  ),
  ...late(
    'error, and content by a request',
    sizes.map((size) =>
      script(
        `fetch('/slow?ms=${size * 3}').then((r) => r.text()).then((t) => document.body.append(t)); throw new Error('analytics')`,
      ),
    ),
  ),
  ...late(
    'hidden until it is loaded',
    sizes.map(
      (size) =>
        `<style>body{visibility:hidden}</style>Here${script(`fetch('/slow?ms=${size * 2}').then(() => (document.body.style.visibility = 'visible'))`)}`,
    ),
  ),
  ...late(
    'logout that goes on',
    sizes.map((size) => script(`setTimeout(() => location.assign('/login'), ${size})`)),
  ),
  ...sizes.map((size) => ({ name: 'logout page', body: `<p>You are logged out</p>`, delay: size })),
  ...sizes.map((size) => ({ name: 'page without content', body: size % 16 ? '' : '<div id="root"></div>' })),
  ...WORDS.map((word, index) => ({
    name: 'text, JSON, SVG, picture, PDF',
    ...([
      { body: word, type: 'text/plain' },
      { body: '{}', type: 'application/json' },
      { body: decodeURIComponent(PIXEL.replace(/^[^,]*,/, '')), type: 'image/svg+xml' },
      { body: PDF, type: 'application/pdf' },
      { body: '', type: 'text/plain' },
    ][index % 5] ?? { body: word }),
  })),
  ...sizes.map((size) => ({
    name: 'closed shadow root',
    body: `<x-a></x-a>${script(`customElements.define('x-a', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<p style="height:${size}px">Here</p>' } connectedCallback() { this.style.display = 'block' } })`)}`,
  })),
]
