// The relay against a browser that answers as Chrome does. The real one is in test/features/attach/attach.test.ts.

import { expect, test } from 'bun:test'
import type { ProtocolMessage } from '../../../src/features/attach/relay-lines.ts'
import { createTargetRelay } from '../../../src/features/attach/target-relay.ts'

function start() {
  const commands: ProtocolMessage[] = []
  const toClients: [string, ProtocolMessage][] = []
  const closedClients: string[] = []
  const changes: string[] = []
  const relay = createTargetRelay({
    openingUrl: 'about:blank#tag',
    endpoint: 'ws://127.0.0.1:9222/devtools/browser/b',
    sendToBrowser: (message) => commands.push(message),
    sendToClient: (client, message) => toClients.push([client, message]),
    onClientClosed: (client) => closedClients.push(client),
    onTarget: (change, id) => changes.push(`${change} ${id}`),
  })
  const answer = async (method: string, result: ProtocolMessage['result'] = {}) => {
    const index = commands.findIndex((command) => command.method === method)
    const [command] = commands.splice(index, 1)
    if (index < 0 || !command?.id) throw new Error(`no ${method} in ${JSON.stringify(commands)}`)
    relay.handleBrowserMessage({ id: command.id, result })
    await Bun.sleep(0)
    return command
  }
  const emit = (method: string, params: object, sessionId?: string) =>
    relay.handleBrowserMessage({ method, params: { ...params }, ...(sessionId && { sessionId }) })
  const attached = (sessionId: string, targetId: string) =>
    emit('Target.attachedToTarget', {
      sessionId,
      targetInfo: { targetId, type: 'page', url: 'about:blank#tag' },
    })
  const answerGuard = async (targetId: string) => {
    attached(`G-${targetId}`, targetId)
    await answer('Target.attachToTarget', { sessionId: `G-${targetId}` })
    const { params } = await answer('Fetch.enable')
    expect(params).toEqual({ patterns: [{ urlPattern: '*://*:9222/*' }] })
  }
  const openTab = async (client: string, targetId: string) => {
    relay.handleCommand(client, { id: 1, method: 'Target.createTarget', params: { url: 'about:blank' } })
    await answer('Target.createTarget', { targetId })
    await answerGuard(targetId)
    attached(`S-${targetId}`, targetId)
    await answer('Target.attachToTarget', { sessionId: `S-${targetId}` })
    await answer('Runtime.evaluate')
  }
  return { relay, commands, toClients, closedClients, changes, answer, answerGuard, emit, attached, openTab }
}

test('a client learns of its tab before the answer; the URL by which it was recognized is gone', async () => {
  const { openTab, toClients, changes, relay } = start()
  await openTab('a', 'T1')
  expect(toClients.map(([client, { method, id }]) => [client, method ?? id])).toEqual([
    ['a', 'Target.attachedToTarget'],
    ['a', 1],
  ])
  expect(toClients[0]?.[1].params?.['targetInfo']).toMatchObject({ url: 'about:blank' })
  expect(changes).toEqual(['opened T1'])
  expect(relay.clients()).toEqual(['a'])
})

test('a client can neither use nor see the tabs of others', async () => {
  const { openTab, relay, toClients, commands, emit, attached } = start()
  await openTab('a', 'T1')
  await openTab('b', 'T2')
  toClients.length = 0
  relay.handleCommand('b', { id: 5, method: 'Runtime.evaluate', sessionId: 'S-T1' })
  relay.handleCommand('b', { id: 6, method: 'Target.closeTarget', params: { targetId: 'T1' } })
  expect(toClients.map(([client, { id, error }]) => [client, id, error !== undefined])).toEqual([
    ['b', 5, true],
    ['b', 6, true],
  ])
  expect(commands).toEqual([])
  emit('Page.loadEventFired', {}, 'S-T1')
  expect(toClients.at(-1)?.[0]).toBe('a')
  toClients.length = 0
  // A tab of the user, its popup, and an attachment by someone else.
  emit('Target.targetCreated', { targetInfo: { targetId: 'F', type: 'page', url: 'x' } })
  emit('Target.targetCreated', { targetInfo: { targetId: 'F2', type: 'page', url: 'x', openerId: 'F' } })
  emit('Target.targetInfoChanged', { targetInfo: { targetId: 'F', type: 'page', url: 'y' } })
  attached('S-F', 'F')
  emit('Target.targetDestroyed', { targetId: 'F' })
  expect(toClients).toEqual([])
  expect(commands.map(({ method, params }) => [method, params?.['sessionId']])).toEqual([
    ['Target.detachFromTarget', 'S-F'],
  ])
})

test('closing a client closes its tabs, those that are being opened and those that they open meanwhile', async () => {
  const { openTab, relay, commands, closedClients, emit, answer, changes } = start()
  await openTab('a', 'T1')
  relay.handleCommand('a', { id: 2, method: 'Target.createTarget', params: { url: 'about:blank' } })
  relay.closeClient('a')
  await answer('Target.closeTarget')
  emit('Target.targetDestroyed', { targetId: 'T1' })
  expect(closedClients).toEqual([])
  await answer('Target.createTarget', { targetId: 'T2' })
  emit('Target.targetCreated', { targetInfo: { targetId: 'P', type: 'page', url: '', openerId: 'T2' } })
  expect(commands.map(({ method, params }) => [method, params?.['targetId']])).toEqual([
    ['Target.closeTarget', 'T2'],
    ['Target.closeTarget', 'P'],
  ])
  emit('Target.targetDestroyed', { targetId: 'T2' })
  expect(closedClients).toEqual([])
  emit('Target.targetDestroyed', { targetId: 'P' })
  expect(closedClients).toEqual(['a'])
  expect(relay.clients()).toEqual([])
  expect(changes).toEqual(['opened T1', 'gone T1', 'opened T2', 'opened P', 'gone T2', 'gone P'])
})

test('a tab that does not close is freed from its script, and closed again', async () => {
  const { openTab, relay, commands, closedClients, emit } = start()
  await openTab('a', 'T1')
  relay.closeClient('a')
  const isFreed = () => commands.some(({ method }) => method === 'Runtime.terminateExecution')
  while (!isFreed()) await Bun.sleep(10)
  expect(commands.filter(({ method }) => method === 'Target.closeTarget')).toHaveLength(2)
  emit('Target.targetDestroyed', { targetId: 'T1' })
  expect(closedClients).toEqual(['a'])
})

test('a tab does not reach the port of the browser, and the client does not see who keeps it away', async () => {
  const { openTab, answerGuard, toClients, commands, emit } = start()
  await openTab('a', 'T1')
  toClients.length = 0
  emit('Fetch.requestPaused', { requestId: 'R' }, 'G-T1')
  expect(commands.splice(0)).toMatchObject([
    {
      method: 'Fetch.failRequest',
      params: { requestId: 'R', errorReason: 'AccessDenied' },
      sessionId: 'G-T1',
    },
  ])
  emit('Target.targetCreated', { targetInfo: { targetId: 'P', type: 'page', url: '', openerId: 'T1' } })
  await answerGuard('P')
  expect(commands.splice(0)).toMatchObject([{ method: 'Target.attachToTarget', params: { targetId: 'P' } }])
  const changeTo = (targetId: string, url: string) =>
    emit('Target.targetInfoChanged', { targetInfo: { targetId, type: 'page', url } })
  changeTo('P', 'about:blank')
  // The URL of a page that says that it was blocked.
  for (const targetId of ['F', 'T1']) changeTo(targetId, 'http://127.0.0.1:9222/json/list')
  expect(commands).toEqual([])
  changeTo('P', 'http://127.0.0.1:9222/json/list')
  expect(commands).toMatchObject([{ method: 'Target.closeTarget', params: { targetId: 'P' } }])
  expect(toClients).toEqual([])
})
