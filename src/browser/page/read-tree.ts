import { redactPageTree, takeAriaSnapshot, type ExitWatch } from '../observe/aria-snapshot.ts'
import type { PageRedaction } from '../tab/page-redaction.ts'
import type { Tab } from '../tab/tab.ts'
import type { Outcome } from '../../core/failure.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { TreeOptions } from '../../runtime/ports/page.ts'

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
