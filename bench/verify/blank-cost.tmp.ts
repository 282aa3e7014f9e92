import { createServer } from 'node:http'
import { connect } from '../../test/support/client.ts'
const rows = Number(process.argv[2] ?? 40)
const body = `<!doctype html><title>t</title><h1>H</h1><button id=go onclick="n.textContent=+n.textContent+1">go</button><p id=n>0</p><input id=i>${'<p>row <b>x</b></p>'.repeat(rows / 2)}`
const server = createServer((_, r) => r.setHeader('content-type', 'text/html').end(body)).listen(
  0,
  '127.0.0.1',
)
await new Promise((r) => server.once('listening', r))
const url = `http://127.0.0.1:${(server.address() as any).port}/`
const names = { before: '/work/main/dist/footlight', after: '/work/wt-blank/dist/footlight' }
const peers = await Promise.all(
  Object.entries(names).map(async ([name, path]) => {
    const peer = await connect({ command: [path] as any })
    await peer.call('create_session')
    await peer.call('navigate', { url })
    return { name, peer, click: [] as number[], nav: [] as number[] }
  }),
)
for (const snap of [false, true]) {
  if (snap) for (const { peer } of peers) await peer.call('snapshot')
  for (const p of peers) {
    p.click = []
    p.nav = []
  }
  for (let i = 0; i < 80; i++)
    for (const p of i % 2 ? peers : peers.toReversed()) {
      let t = performance.now()
      await p.peer.call('click', { selector: '#go' })
      p.click.push(performance.now() - t)
      if (i % 4 === 0) {
        t = performance.now()
        await p.peer.call('navigate', { url })
        p.nav.push(performance.now() - t)
      }
    }
  const median = (x: number[]) => x.toSorted((a, b) => a - b)[Math.floor(x.length / 2)]!.toFixed(1)
  const low = (x: number[]) => x.toSorted((a, b) => a - b)[Math.floor(x.length / 10)]!.toFixed(1)
  for (const p of peers)
    console.log(
      rows,
      'elements, snapshot',
      snap,
      p.name,
      'click median',
      median(p.click),
      'p10',
      low(p.click),
      'navigate',
      median(p.nav),
      'p10',
      low(p.nav),
    )
}
for (const p of peers) await p.peer.close()
process.exit(0)
