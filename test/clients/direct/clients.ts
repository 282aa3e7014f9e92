// The clients that need no model.

import type { Era } from '../../../src/core/mcp/calls/era.ts'
import { endProcessesOf } from '../agents/run.ts'
import type { UsedEra } from '../recorder.ts'
import { onStage, type Way } from '../stage.ts'
import type { DirectClient } from './direct-client.ts'
import { inspector } from './inspector.ts'
import { mcporter } from './mcporter.ts'
import { firstSdk, secondSdk } from './sdk.ts'

export const directClients: Readonly<Record<string, DirectClient>> = {
  sdk: firstSdk,
  'sdk-2': secondSdk,
  inspector,
  mcporter,
}

/** Runs a client in one era; what went wrong, and the era that was used. */
export const runDirect = (
  { use }: DirectClient,
  way: Way,
  era: Era,
): Promise<{ readonly problems: readonly string[]; readonly usedEra: UsedEra | undefined }> =>
  onStage(way, async (stage) => {
    const problems = await use(stage, era)
    const left = await endProcessesOf(stage.env.HOME)
    const usedEra = stage.usedEra()
    return {
      problems: [
        ...problems,
        ...left.map((command) => `left running: ${command.slice(0, 200)}`),
        ...(usedEra?.era === era ? [] : [`the era is ${usedEra?.era}, not ${era}`]),
      ],
      usedEra,
    }
  })
