// The network boundary that the options ask for.

import type { Settings } from './options.ts'
import { parseRules, type Rule } from '../core/hosts.ts'
import { createGates } from '../runtime/gate/gates.ts'
import type { Gates } from '../runtime/ports/gates.ts'

export const gatesOf = (settings: Settings, http: boolean): Gates =>
  createGates({
    list: settings.allowedHosts === undefined ? undefined : rulesIn(settings.allowedHosts),
    guarded: http && settings.privateHosts === 'block',
    open: settings.privateHosts === 'allow',
    ask: settings.askHosts,
    remote: http,
  })

// Checked when the settings were read.
function rulesIn(text: string): readonly Rule[] {
  const rules = parseRules(text)
  return rules.ok ? rules.value : []
}
