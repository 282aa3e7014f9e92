// CPU and network throttling, which only Chromium has. Both belong to the CDP sessions of a page; the values are those of Chrome's DevTools.

import type { Page } from 'playwright'
import { protocolSessionsOf } from './server-context.ts'
import { isTargetClosed } from '../playwright/errors.ts'
import type { CurrentEmulation, NetworkPreset } from '../../core/emulation.ts'

/** Latency in milliseconds, throughput in bytes per second; -1 is no limit. */
interface NetworkConditions {
  readonly latency: number
  readonly downloadThroughput: number
  readonly uploadThroughput: number
}

const NO_LIMITS: NetworkConditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

const CONDITIONS: Readonly<Record<NetworkPreset, NetworkConditions>> = {
  'slow-3g': { latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000 },
  'slow-4g': { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 },
  'fast-4g': { latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750 },
}

export const throttleCpu = (page: Page, { cpuThrottlingRate = 1 }: CurrentEmulation): Promise<void> =>
  sendToSessions(page, 'Emulation.setCPUThrottlingRate', { rate: cpuThrottlingRate })

/** Sets the limits and whether the page is offline, because both are one command of the browser. */
export const throttleNetwork = (page: Page, { network, offline = false }: CurrentEmulation): Promise<void> =>
  sendToSessions(page, 'Network.emulateNetworkConditions', {
    offline,
    ...(network ? CONDITIONS[network] : NO_LIMITS),
  })

async function sendToSessions(page: Page, method: string, message: object): Promise<void> {
  for (const session of protocolSessionsOf(page))
    await session.send(method, message).catch((error: Error) => {
      if (!isTargetClosed(error)) throw error
    })
}
