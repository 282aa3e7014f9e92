// The statements of one step.

import { isForSockets } from '../mock/mock.ts'
import type { RecordedAction, RecordedStep } from '../recording/recorded-step.ts'
import { callOn, createActionScope, type ActionScope } from './actions/action-scope.ts'
import { checkCode } from './actions/check-code.ts'
import { clockCode, seedCode } from './actions/clock-code.ts'
import { emulationCode } from './actions/emulation-code.ts'
import { fillCode, selectCode, submitCode, typeCode } from './actions/field-code.ts'
import { mockCode } from './actions/mock-code.ts'
import { clickCode, pressCode, uploadCode } from './actions/pointer-code.ts'
import { pushCode, socketMockCode } from './actions/socket-code.ts'
import { pathOf } from './actions/url-code.ts'
import type { CodeScope } from './code-scope.ts'
import { callCode, type Code } from './print-code.ts'
import type { DialogAnswer, TestStep } from './steps/attach-dialogs.ts'

/** The statements, with what must be prepared before them. */
export function stepCode({ step, dialogs }: TestStep, scope: CodeScope): readonly Code[] {
  const { action, openedTab } = step
  if (action.kind === 'openTab') return openTabCode(openedTab ?? step.tab, scope)
  const tab = (action.kind === 'closeTab' ? action.id : undefined) ?? step.tab
  const knownPage = scope.pageOf(tab)
  const page = knownPage ?? scope.addPage(tab, 'popup')
  const actionScope = createActionScope(scope, page)
  const { before, after } = expectedDialogCode(dialogs, actionScope)
  const code = [...(knownPage === undefined ? foundPageCode(page, scope) : []), ...before]
  const statements = [...actionCode(action, step, actionScope), ...after]
  if (openedTab === undefined || scope.pageOf(openedTab) !== undefined) return [...code, ...statements]
  const popup = scope.addPage(openedTab, 'popup')
  const promise = scope.variable(`${popup}Promise`)
  return [
    ...code,
    `const ${promise} = ${page}.waitForEvent('popup');`,
    ...statements,
    `const ${popup} = await ${promise};`,
  ]
}

// --- internal ---

// One exhaustive switch.
function actionCode(action: RecordedAction, step: RecordedStep, scope: ActionScope): readonly Code[] {
  switch (action.kind) {
    case 'navigate':
      return navigateCode(action.url, action.isHydrated ?? false, scope)
    case 'history':
      return historyCode(action.direction, action.isHydrated ?? false, scope)
    case 'click':
      return clickCode(action, scope)
    case 'type':
      return typeCode(action, scope)
    case 'fill':
      return fillCode(action, scope)
    case 'submit':
      return submitCode(action, scope)
    case 'select':
      return selectCode(action.element, action.values, scope)
    case 'hover':
      return [callOn(scope, action.element, 'hover', [])]
    case 'drag':
      return [
        callOn(scope, action.element, 'dragTo', [
          { head: scope.page, links: scope.linksOf(action.to, scope.page) },
        ]),
      ]
    case 'press':
      return pressCode(action, scope)
    case 'upload':
      return uploadCode(action, scope)
    case 'dialog':
      return dialogCode([action], scope)
    case 'openTab':
      return []
    case 'closeTab':
      return [scope.statement(['.close()'])]
    case 'emulate':
      return emulationCode(action.change, scope)
    case 'clock':
      return clockCode(action.time, scope)
    case 'seed':
      return seedCode(action.seed, scope)
    case 'other':
      return [`// Not repeated here: what the tool ${scope.text.title(action.tool)} did.`]
    case 'mock':
      return isForSockets(action.rule) ? socketMockCode(action.rule, scope) : mockCode(action.rule, scope)
    case 'push':
      return pushCode(action.push, scope)
    case 'check':
      return checkCode(action.check, step, scope)
  }
}

const HISTORY_CALLS = { back: '.goBack', forward: '.goForward', reload: '.reload' } as const

const historyCode = (
  direction: keyof typeof HISTORY_CALLS,
  isHydrated: boolean,
  scope: ActionScope,
): readonly Code[] => [
  scope.statement([callCode(HISTORY_CALLS[direction], isHydrated ? ["{ waitUntil: 'networkidle' }"] : [])]),
]

function navigateCode(url: string, isHydrated: boolean, scope: ActionScope): readonly Code[] {
  const address = scope.text.url(pathOf(url, scope.origin))
  if (!isHydrated) return [scope.statement([callCode('.goto', [address])])]
  return [
    '// The server renders this page: it can be used once its scripts have loaded.',
    scope.statement([callCode('.goto', [address, "{ waitUntil: 'networkidle' }"])]),
  ]
}

function openTabCode(tab: string, scope: CodeScope): readonly Code[] {
  const page = scope.addPage(tab, 'page')
  return [`const ${page} = await ${scope.use('context')}.newPage();`]
}

// A tab of which no step says how it was opened: the newest one.
function foundPageCode(page: string, scope: CodeScope): readonly Code[] {
  const context = scope.use('context')
  return [
    `await expect.poll(() => ${context}.pages().length).toBeGreaterThan(1);`,
    `const ${page} = ${context}.pages().at(-1)!;`,
  ]
}

/** What answers the dialogs of an action, and what fails if the only one has not come. */
function expectedDialogCode(
  dialogs: readonly DialogAnswer[],
  scope: ActionScope,
): { readonly before: readonly Code[]; readonly after: readonly Code[] } {
  const [dialog, ...others] = dialogs
  if (!dialog || others.length > 0) return { before: dialogCode(dialogs, scope), after: [] }
  const promise = scope.variable('dialogPromise')
  const handler: Code = { arrow: '(dialog) =>', expression: answerCode(dialog, scope) }
  return {
    before: [
      [`const ${promise} = ${scope.page}`, ".waitForEvent('dialog')", callCode('.then', [handler]), ';'],
    ],
    after: [`await ${promise};`],
  }
}

// A dialog is answered by the listener that was added last, so each adds the one for the next dialog.
function dialogCode(dialogs: readonly DialogAnswer[], scope: ActionScope): readonly Code[] {
  const [first, ...others] = dialogs
  if (!first) return []
  const answer = answerCode(first, scope)
  const handler: Code =
    others.length === 0
      ? { arrow: '(dialog) =>', expression: answer }
      : ['async (dialog) => ', { statements: [...dialogCode(others, scope), ['await ', answer, ';']] }]
  return [[`${scope.page}`, callCode('.once', ["'dialog'", handler]), ';']]
}

const answerCode = ({ accept, promptText }: DialogAnswer, scope: ActionScope): Code =>
  callCode(
    accept ? 'dialog.accept' : 'dialog.dismiss',
    accept && promptText !== undefined ? [scope.text.value(promptText)] : [],
  )
