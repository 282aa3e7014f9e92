// Files of a session as a remote client reads them, while values of --secrets are set: what was typed is in none of them.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const SECRET = 'Correct-Horse-77-Battery'
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

/** What a page downloads: by name, with a secret in each text. */
const downloads: Readonly<Record<string, string | Buffer>> = {
  'export.csv': `name;note\na;${SECRET}\n`,
  'page.html': `<p>${SECRET}</p>`,
  'no-ending': `it is ${SECRET}`,
  'picture.zip': `no archive, ${SECRET}`,
  'words.png': `no picture: ${SECRET}`,
  'data.har': `{"log":"${SECRET}"}`,
  'real.png': picture,
}

let folder: string
let site: Site
let peer: Peer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-secret-files-'))
  writeFileSync(join(folder, 'secrets.env'), `PASS=${SECRET}\n`)
  const routes = Object.entries(downloads).map(([name, body]) => [
    `/files/${name}`,
    (_: unknown, response: any) =>
      response.setHeader('content-disposition', `attachment; filename=${name}`).end(body),
  ])
  const links = Object.keys(downloads).map((name) => `<a href="/files/${name}">${name}</a>`)
  site = await serveSite({
    '/': page(`<input id="note">${links.join(' ')}<p style="height: 9000px">`),
    ...Object.fromEntries(routes),
  })
  peer = await connect({ args: ['--headless', '--tools', '+trace', '--secrets', 'secrets.env'], cwd: folder })
}, 300_000)
afterAll(async () => {
  await peer.close()
  site.close()
  rmSync(folder, { recursive: true })
})

async function openSession() {
  const sessionId = await peer.session()
  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const read = async (uri: string) => {
    const { contents } = await peer.client.readResource({ uri })
    const [content] = contents as { text?: string; blob?: string; mimeType?: string }[]
    return { ...content, bytes: Buffer.from(content?.blob ?? '', 'base64') }
  }
  return { call, read }
}

test('a trace is refused as a resource with what to do instead, and stays where it is; a screenshot is read', async () => {
  const { call, read } = await openSession()
  await call('navigate', { url: site.url })
  await call('trace', { action: 'start' })
  await call('type', { target: '#note', text: '{{PASS}}' })
  const { path, resource } = (await call('trace', { action: 'stop' })).data
  await expect(read(resource)).rejects.toThrow(
    /pages as they were.*secrets.*a screenshot, a snapshot or the logs/s,
  )
  expect(existsSync(path)).toBe(true)
  const shot = (await call('screenshot', { format: 'png', fullPage: true })).data
  expect((await read(shot.resource)).bytes.subarray(1, 4).toString()).toBe('PNG')
}, 120_000)

test('what is text is redacted, whatever its name says; what is none comes as it is', async () => {
  const { call, read } = await openSession()
  await call('navigate', { url: site.url })
  for (const name of Object.keys(downloads)) await call('click', { selector: `a[href$="${name}"]` })
  const uris = new Map<string, string>()
  await until(async () => {
    const { resources } = await peer.client.listResources()
    for (const { uri } of resources) {
      const name = decodeURIComponent(uri.split('/').at(-1) ?? '')
      if (uri.includes('/files/') && Object.hasOwn(downloads, name)) uris.set(name, uri)
    }
    return uris.size === Object.keys(downloads).length
  })
  expect([...uris.keys()].toSorted()).toEqual(Object.keys(downloads).toSorted())
  for (const [name, uri] of uris) {
    const { text, bytes } = await read(uri)
    if (name === 'real.png') expect(bytes.equals(picture)).toBe(true)
    else expect([name, text?.includes('[redacted]'), text?.includes(SECRET)]).toEqual([name, true, false])
  }
}, 120_000)
