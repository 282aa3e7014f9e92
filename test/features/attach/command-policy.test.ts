import { expect, test } from 'bun:test'
import { decideCommand, restrictParams } from '../../../src/features/attach/command-policy.ts'

const scope = (isForBrowser: boolean) => ({
  isForBrowser,
  ownsTarget: (id: string) => id === 'OURS',
  ownsSession: (id: string) => id === 'OUR-SESSION',
})
const decide = (method: string, params: Record<string, unknown> = {}, isForBrowser = true) =>
  decideCommand({ method, params }, scope(isForBrowser))

test('the browser gets only what concerns tabs of the client', () => {
  expect(decide('Browser.getVersion')).toBe('forward')
  expect(decide('Target.closeTarget', { targetId: 'OURS' })).toBe('forward')
  expect(decide('Target.closeTarget', { targetId: 'FOREIGN' })).toBe('deny')
  expect(decide('Target.attachToTarget', { targetId: 'FOREIGN' })).toBe('deny')
  expect(decide('Target.detachFromTarget', { sessionId: 'FOREIGN-SESSION' })).toBe('deny')
  expect(decide('Target.createTarget', { url: 'about:blank' })).toBe('open')
  expect(decide('Target.createTarget', { url: 'about:blank', browserContextId: 'X' })).toBe('deny')
  for (const method of [
    'Target.setAutoAttach',
    'Browser.setDownloadBehavior',
    'Target.activateTarget',
    'Browser.close',
  ])
    expect([method, decide(method)]).toEqual([method, 'answer'])
  for (const method of [
    'Target.getTargets',
    'Target.createBrowserContext',
    'Storage.getCookies',
    'Storage.clearCookies',
    'Browser.grantPermissions',
    'SystemInfo.getProcessInfo',
    'Tracing.start',
    'Anything.new',
  ])
    expect([method, decide(method)]).toEqual([method, 'deny'])
})

test('a tab gets what has no effect outside of it', () => {
  for (const method of [
    'Page.navigate',
    'Runtime.evaluate',
    'Network.getCookies',
    'Emulation.setDeviceMetricsOverride',
    'Input.dispatchKeyEvent',
  ])
    expect([method, decide(method, {}, false)]).toEqual([method, 'forward'])
  for (const method of [
    'Network.clearBrowserCookies',
    'Network.clearBrowserCache',
    'Network.getAllCookies',
    'Storage.getCookies',
    'Storage.clearCookies',
    'Browser.setWindowBounds',
    'Browser.setPermission',
    'Target.createTarget',
    'Target.exposeDevToolsProtocol',
    'Tracing.start',
    'Page.setDownloadBehavior',
    'Memory.simulatePressureNotification',
  ])
    expect([method, decide(method, {}, false)]).toEqual([method, 'deny'])
  expect(decide('Page.bringToFront', {}, false)).toBe('answer')
  expect(decide('Target.getTargetInfo', { targetId: 'FOREIGN' }, false)).toBe('deny')
  expect(decide('Target.attachToTarget', { targetId: 'OURS' }, false)).toBe('forward')
})

test('workers that tabs share are not attached to', () => {
  const params = restrictParams({ method: 'Target.setAutoAttach', params: { autoAttach: true } })
  expect(params).toMatchObject({
    autoAttach: true,
    filter: expect.arrayContaining([{ type: 'service_worker', exclude: true }]),
  })
  expect(restrictParams({ method: 'Page.navigate', params: { url: 'x' } })).toEqual({ url: 'x' })
})
