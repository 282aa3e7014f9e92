// A page whose buttons have an effect some time after the click, each by another means, and say when it is there.

import { page, type Route, serveSite, type Site } from './site.ts'

/** What each button does with `effect`, to be called after `ms` milliseconds. */
const means = {
  timer: 'setTimeout(effect, ms)',
  promise: 'new Promise((done) => setTimeout(done, ms)).then(() => 1).then(effect)',
  frames:
    '(async () => { const end = performance.now() + ms; while (performance.now() < end) await new Promise(requestAnimationFrame); effect() })()',
  worker: 'worker.onmessage = effect; worker.postMessage(ms)',
  animation: 'box.animate([{ opacity: 1 }, { opacity: 0.5 }], Math.max(1, ms)).finished.then(effect)',
  transition: `box.style.transitionDuration = Math.max(1, ms) + 'ms'; box.ontransitionend = effect; box.classList.toggle('far')`,
  storage: `storageFrame.contentWindow.setTimeout("localStorage.setItem('key', String(Math.random()))", ms); onstorage = effect`,
  field: 'setTimeout(() => effect((text) => { entry.value = text }), ms)',
  shadow: 'setTimeout(() => effect((text) => { inner.textContent = text }), ms)',
  sheet:
    'setTimeout(() => effect((text) => sheet.insertRule("#rule::after { content: \'" + text + "\' }", sheet.cssRules.length)), ms)',
} as const

export type Means = keyof typeof means
export const everyMeans = Object.keys(means) as Means[]

const buttons = everyMeans.map((name) => `<button id="${name}">${name}</button>`).join(' ')
const handlers = everyMeans
  .map((name) => `document.getElementById('${name}').onclick = () => act((effect, ms) => { ${means[name]} })`)
  .join('\n')

const laterPage =
  page(`<style>#box { width: 9px; height: 9px; transition: margin-left 1ms } #box.far { margin-left: 1px }</style>
<p id="text">No effect</p><input id="entry" aria-label="Entry"><p id="host"></p><p id="rule"></p><div id="box"></div>
${buttons} <button id="dead">dead</button> <button id="idle">idle</button>
<button id="message">message</button><div role="alert" id="alert"></div>
<iframe id="storageFrame" src="/frame" title="Frame"></iframe>
<script>
  let count = 0
  let ms = 0
  let messageCount = 0
  const inner = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'))
  const sheet = document.styleSheets[0]
  const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => setTimeout(() => postMessage(0), data)'])))
  function act(work) {
    const number = (count += 1)
    work((set) => {
      if (typeof set === 'function') set('Effect ' + number + '.')
      else text.textContent = 'Effect ' + number + '.'
      navigator.sendBeacon('/done/' + number)
    }, ms)
  }
  ${handlers}
  document.getElementById('idle').onclick = () => { window.last = performance.now() }
  document.getElementById('message').onclick = () =>
    setTimeout(() => {
      messageCount += 1
      document.getElementById('alert').textContent = 'The title is taken'
      setTimeout(() => { document.getElementById('alert').textContent = ''; navigator.sendBeacon('/gone/' + messageCount) }, 50)
    }, 30)
</script>`)

/** A page without a worker and a frame. */
const plainPage =
  page(`<button id="dead">dead</button> <button id="idle" onclick="window.last = 1">idle</button>
  <button id="late" onclick="setTimeout(() => { this.textContent = 'came' }, 200)">late</button>`)

const downloadPage = page(`<a id="named" download="named.txt" href="data:text/plain,a">Named</a>
  <a id="tab" href="/file" target="_blank">In a tab</a>
  <form action="/file" method="post"><button id="post">Post</button></form>
  <button id="script" onclick="const link = document.createElement('a'); link.href = '/file'; document.body.append(link)
    link.download = ''; link.click(); link.remove()">Script</button> <button id="dead">dead</button>`)

const sendFile: Route = (_, response) =>
  void response.writeHead(200, { 'content-disposition': 'attachment; filename="file.txt"' }).end('text')

export interface LaterSite extends Site {
  /** Resolves when the page has said so. */
  arrival(path: string): Promise<void>
  /** Another page counts its effects anew. */
  forget(): void
}

export async function serveLaterSite(): Promise<LaterSite> {
  const arrived = new Set<string>()
  const waits = new Map<string, () => void>()
  const site = await serveSite(
    {
      '/': laterPage,
      '/plain': plainPage,
      '/frame': page('<p>Frame</p>'),
      '/downloads': downloadPage,
      '/file': sendFile,
    },
    ({ url = '' }, response) => {
      arrived.add(url)
      waits.get(url)?.()
      response.writeHead(204).end()
    },
  )
  return {
    ...site,
    forget: () => {
      arrived.clear()
      waits.clear()
    },
    arrival: (path) =>
      arrived.has(path) ? Promise.resolve() : new Promise((resolve) => waits.set(path, () => resolve())),
  }
}
