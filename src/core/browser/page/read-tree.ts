import type { AriaTree } from '../../sessions/types/snapshot.ts'
import { redactPageTree, takeAriaSnapshot, type ExitWatch } from '../snapshot/aria-snapshot.ts'
import type { PageRedaction } from '../tab/page-redaction.ts'
import type { Tab } from '../tab/tab.ts'
import type { Outcome } from '../../base/failure.ts'
import type { SecretHooks } from '../../sessions/types/browsers.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { TreeOptions } from '../../sessions/types/page.ts'

interface TreeReader {
  readonly redaction: PageRedaction
  readonly secrets: SecretHooks | undefined
  readonly exit: ExitWatch
}

/** The redacted tree of a tab. */
export const readTree = (
  tab: Tab,
  options: TreeOptions,
  deadline: Deadline,
  { redaction, secrets, exit }: TreeReader,
): Promise<Outcome<AriaTree>> =>
  redaction.reveal(
    tab,
    deadline,
    takeAriaSnapshot(tab.page, options, deadline, options.awaitsExit ? exit : undefined),
    (tree, pageSecrets) => redactPageTree(tab.page, tree, pageSecrets, secrets),
  )
