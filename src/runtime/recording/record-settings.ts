import type { RecordAction, Recorder } from './record-action.ts'
import type { Page } from '../ports/page/page.ts'

/** The methods for dialogs and tabs. */
export const recordTabs = (
  page: Page,
  record: RecordAction,
): Pick<Page, 'answerDialog' | 'openTab' | 'closeTab'> => ({
  answerDialog: (accept, promptText, deadline) =>
    record(
      () => page.answerDialog(accept, promptText, deadline),
      () => ({ kind: 'dialog', accept, ...(promptText !== undefined && { promptText }) }),
    ),
  openTab: (deadline) =>
    record(
      () => page.openTab(deadline),
      () => ({ kind: 'openTab' }),
    ),
  closeTab: (id, deadline) =>
    record(
      () => page.closeTab(id, deadline),
      () => ({ kind: 'closeTab', ...(id !== undefined && { id }) }),
    ),
})

/** The methods for what a session emulates, mocks and stores. */
export const recordSettings = (
  page: Page,
  record: RecordAction,
  { mocks, recording }: Recorder,
): Pick<
  Page,
  'emulate' | 'setFixedTime' | 'seedRandom' | 'applyMocks' | 'pushToSockets' | 'changeStorage'
> => ({
  emulate: (change, deadline) =>
    record(
      () => page.emulate(change, deadline),
      () => ({ kind: 'emulate', change }),
    ),
  setFixedTime: (time) =>
    record(
      () => page.setFixedTime(time),
      () => ({ kind: 'clock', time: time === undefined ? time : new Date(time).toISOString() }),
    ),
  seedRandom: (seed) =>
    record(
      () => page.seedRandom(seed),
      () => ({ kind: 'seed', seed }),
    ),
  applyMocks(deadline) {
    const mock = mocks.list().at(-1)
    const isKnown = recording
      .read()
      .steps.some(({ action }) => action.kind === 'mock' && action.rule === mock?.rule)
    return record(
      () => page.applyMocks(deadline),
      () => (mock && !isKnown ? { kind: 'mock', rule: mock.rule, mock } : undefined),
    )
  },
  pushToSockets: (push, deadline) =>
    record(
      () => page.pushToSockets(push, deadline),
      () => ({ kind: 'push', push }),
    ),
  changeStorage(action, query, value, deadline) {
    const work = () => page.changeStorage(action, query, value, deadline)
    return action === 'read' ? work() : record(work, () => ({ kind: 'other', tool: 'storage_state' }))
  },
})
