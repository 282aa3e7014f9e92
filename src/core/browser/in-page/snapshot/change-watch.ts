// Notices in each document whether what a snapshot shows may have changed since the last report to the client, and whether an action may
// still have an effect. Runs in Playwright's world, so the page sees nothing of it.

import type { AriaInjected, ChangeReading, ChangeWatch } from './aria-injected.ts'
import { joinSpaces } from '../page/elements.ts'
import type { ElementMatches } from '../page/element-arguments.ts'

export function createChangeWatch(builtins: Window): ChangeWatch {
  const MESSAGE_LIMIT = 5
  const MESSAGE_LIMIT_CHARS = 200
  const RECORD_LIMIT = 200
  const liveRegions =
    '[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],[role=alertdialog],output'
  // What changes a page without a change of its nodes.
  const events =
    'transitionrun transitionend animationstart animationend input change toggle load fullscreenchange popstate hashchange'
  const roots = new Set<Document | ShadowRoot>()
  const messages = new Map<Element, string>()
  let hasChanged = false
  let stateAtMark = ''
  let timerAtBegin: number | undefined
  let frames: readonly number[] | undefined
  let beganAt = 0
  const now = () => Number(document.timeline.currentTime)

  const isShown = (region: Element) =>
    region.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const textOf = ({ textContent }: Element) => joinSpaces(textContent ?? '').slice(0, MESSAGE_LIMIT_CHARS)

  function noteMessage(region: Element): void {
    const text = textOf(region)
    if (text === '' || !isShown(region)) return
    messages.delete(region)
    if (messages.size < MESSAGE_LIMIT) messages.set(region, text)
  }

  const isGone = ([region, text]: readonly [Element, string]) =>
    !region.isConnected || textOf(region) !== text || !isShown(region)

  function note(records: readonly MutationRecord[]): void {
    if (records.length === 0) return
    hasChanged = true
    const regions = new Set<Element>()
    for (const { target, addedNodes } of records.slice(0, RECORD_LIMIT)) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(liveRegions)
      if (region) regions.add(region)
      for (const added of region ? [] : addedNodes) {
        if (!(added instanceof Element)) continue
        const inside = added.matches(liveRegions) ? added : added.querySelector(liveRegions)
        if (inside) regions.add(inside)
      }
    }
    for (const region of regions) noteMessage(region)
  }

  const observer = new MutationObserver(note)
  const onEvent = () => void (hasChanged = true)

  function watch(root: Document | ShadowRoot): void {
    if (roots.has(root)) return
    roots.add(root)
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
    for (const type of events.split(' ')) root.addEventListener(type, onEvent, true)
  }

  // What fields have is no attribute, a rule of a stylesheet no node, and an element that is defined later may get a shadow root.
  function readState(): string {
    const parts: unknown[] = []
    for (const root of roots) {
      for (const field of root.querySelectorAll<HTMLInputElement>('input,textarea,select'))
        parts.push(field.value, field.checked, field.indeterminate, field.disabled)
      const sheets = [...root.styleSheets, ...root.adoptedStyleSheets]
      parts.push(root.querySelectorAll(':not(:defined)').length, elementNumber(root.activeElement))
      parts.push(sheets.map((sheet) => !sheet.disabled && countRules(sheet)))
    }
    return JSON.stringify(parts)
  }

  function countRules(sheet: CSSStyleSheet): number {
    try {
      return sheet.cssRules.length
    } catch {
      // A sheet of another origin cannot be read.
      return -1
    }
  }

  const numbers = new WeakMap<Element, number>()
  let lastNumber = 0
  function elementNumber(element: Element | null): number {
    if (!element) return 0
    const number = numbers.get(element) ?? (lastNumber += 1)
    numbers.set(element, number)
    return number
  }

  const animations = () => [...roots].flatMap((root) => root.getAnimations())
  const isRunning = ({ playState, effect }: Animation) =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Infinity

  // The numbers of timers and frames increase by one, whoever asks for them.
  function readTimers(): number {
    const timer = builtins.setTimeout(() => {}, 0)
    builtins.clearTimeout(timer)
    return Number(timer)
  }

  // Whoever asks for a frame makes the next input wait for it, so this is not done before an input.
  function readFrames(): readonly number[] {
    const frame = builtins.requestAnimationFrame(() => {})
    builtins.cancelAnimationFrame(frame)
    const idle = builtins.requestIdleCallback(() => {})
    builtins.cancelIdleCallback(idle)
    return [frame, idle]
  }

  const isMore = (latest: readonly number[], before: readonly number[] = []) =>
    latest.some((count, index) => count - (before[index] ?? 0) > 1)

  return {
    mark(shadowRoots) {
      watch(document)
      for (const root of shadowRoots) watch(root)
      observer.takeRecords()
      messages.clear()
      // What an animation changes is not known before its end.
      hasChanged = animations().some(isRunning)
      stateAtMark = readState()
      frames ??= readFrames()
    },
    begin() {
      note(observer.takeRecords())
      hasChanged ||= readState() !== stateAtMark
      timerAtBegin = readTimers()
      beganAt = now()
      const passed = [...messages].filter(isGone)
      return {
        hasChanged,
        messages: passed.map(([region, text]) => `${region.getAttribute('role') ?? 'status'}: ${text}`),
      }
    },
    async passFrame() {
      if (!frames) return
      const isAsked = isMore(readFrames(), frames)
      if (isAsked) await new Promise((resolve) => builtins.requestAnimationFrame(resolve))
      const [frame = 0, idle = 0] = frames
      // What was asked for here is not the page's.
      frames = [frame + (isAsked ? 2 : 1), idle + 1]
    },
    isPending(ownTimers) {
      const [before, latest] = [frames, readFrames()]
      frames = latest
      if (timerAtBegin === undefined || readTimers() - timerAtBegin - 1 > ownTimers) return true
      if (isMore(latest, before)) return true
      return animations().some(
        (animation) =>
          isRunning(animation) ||
          (animation.playState === 'running' && Number(animation.startTime ?? Infinity) >= beganAt),
      )
    },
  }
}

/** The changes of this document since the last report to the client; null without one. */
export function readChangeWatch({ injected }: Pick<ElementMatches, 'injected'>): ChangeReading | null {
  return (injected as unknown as AriaInjected).footlight?.changes.begin() ?? null
}

/** Whether something may still come in this document. One that was not there at the beginning of the action tells nothing of itself. */
export const readPending = ({ injected }: Pick<ElementMatches, 'injected'>, ownTimers: number): boolean =>
  (injected as unknown as AriaInjected).footlight?.changes.isPending(ownTimers) ?? true
