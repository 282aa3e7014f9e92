import type { HelpTopics } from '../../core/tool/feature.ts'
import { AGENT_HELP } from './agent-help.ts'
import { verbHelp } from './verb-help.ts'
import { findVerb, shownVerbs, verbNames } from './verbs.ts'

const LISTED_VERB_CHARS = 7

export const helpTopics: HelpTopics = {
  names: verbNames,
  overview: [
    'Shell: footlight [-s NAME] VERB [TARGET] [VALUE...] (footlight help agent explains it)',
    `  ${shownVerbs.filter((verb) => verb.length <= LISTED_VERB_CHARS).join(' ')}`,
  ],
  textOf(name) {
    if (name === 'agent') return AGENT_HELP
    const verb = findVerb(name)
    return verb && verbHelp(verb)
  },
}
