import type { ActionWatch } from './action-watch.ts'

/** Reports keys that do more than to enter text, to move the cursor or the focus, to scroll, or to press a button. */
export function watchKeys(watch: ActionWatch): void {
  type Relevance = 'always' | 'if prevented' | 'never'

  function judgeInField(event: KeyboardEvent, field: Element): Relevance {
    const { key } = event
    const isMultiline = field.localName === 'textarea' || (field as HTMLElement).isContentEditable
    if (key === 'Escape') return 'always'
    if (key === 'Enter')
      return isMultiline && !event.ctrlKey && !event.metaKey && !event.altKey ? 'if prevented' : 'always'
    const hasList =
      field.matches('[role=combobox], [aria-expanded], [aria-autocomplete], [aria-activedescendant]') ||
      field.hasAttribute('list')
    if (/^(Arrow|Page|Home|End)/.test(key)) return hasList ? 'always' : 'never'
    return 'if prevented'
  }
  function judge(event: KeyboardEvent, target: Element): Relevance {
    const { key } = event
    if (event.isComposing || /^(Shift|Control|Meta|Alt|AltGraph|CapsLock|Dead|Process|Tab)$/.test(key))
      return 'never'
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey
    if (watch.isTextField(target)) {
      const isEditing = key.length === 1 ? !isShortcut : /^(Backspace|Delete|Insert)$/.test(key)
      return isEditing ? 'never' : judgeInField(event, target)
    }
    const isNative = target.matches('button, a[href], summary, input, select, option')
    if (isNative && !isShortcut && /^(Enter| |Arrow.*|Home|End|Page.*)$/.test(key)) return 'never'
    if (target.localName === 'select') return 'never'
    // The browser scrolls with these, or has shortcuts.
    const isOfPage = target === document.body || target === document.documentElement
    if (isShortcut || /^F\d+$/.test(key)) return 'if prevented'
    return isOfPage && /^( |Arrow.*|Page.*|Home|End|Backspace|Delete)$/.test(key) ? 'if prevented' : 'always'
  }
  const nameOf = (event: KeyboardEvent) =>
    [
      ...(event.ctrlKey || event.metaKey ? ['ControlOrMeta'] : []),
      ...(event.altKey ? ['Alt'] : []),
      ...(event.shiftKey && event.key.length > 1 ? ['Shift'] : []),
      event.key === ' ' ? 'Space' : event.key,
    ].join('+')

  watch.on('keydown', (event, target) => {
    const relevance = judge(event, target)
    if (relevance === 'never') return
    const isOfPage = target === document.body || target === document.documentElement
    const element = isOfPage ? undefined : watch.describe(target)
    const action = { kind: 'press', key: nameOf(event), ...(element && { element }) } as const
    if (relevance === 'always') return watch.report(action)
    watch.afterEvent(() => {
      if (event.defaultPrevented) watch.report(action)
    })
  })
}
