import type { CallServer, ServedSession } from './view-answers.ts'
import type { ViewedEntry } from './viewed-session.ts'

export interface Timeline {
  /** Begins with another session, or none. */
  open(session: ServedSession | undefined): void
  /** Reads what is new. */
  update(): Promise<void>
}

/** The timeline of one session, as in its report. */
export function createTimeline(call: CallServer): Timeline {
  const ENTRIES_LIMIT = 3000
  const list = document.querySelector<HTMLElement>('#timeline')!
  const search = document.querySelector<HTMLInputElement>('#search')!
  const countLine = document.querySelector<HTMLElement>('#shown')!
  const droppedLine = document.querySelector<HTMLElement>('#dropped')!
  let session: ServedSession | undefined
  let [readSeq, isReading] = [0, false]
  // A check has no number of its own.
  const items = new Map<string, HTMLElement>()
  search.closest<HTMLElement>('[hidden]')!.hidden = false
  const matches = (item: Element) =>
    search.value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => item.textContent.toLowerCase().includes(word))
  const filter = () => {
    for (const item of items.values()) item.hidden = !matches(item)
    const count = [...items.values()].filter(({ hidden }) => !hidden).length
    countLine.textContent = search.value.trim() === '' ? '' : `${count} of ${items.size}`
  }
  search.addEventListener('input', filter)
  const addText = (item: Element, tag: string, name: string, text: string) => {
    const part = item.appendChild(document.createElement(tag))
    part.className = name
    part.textContent = text
  }
  function addEntry({ seq, at, kind, level, text, changes, isSilent }: ViewedEntry, startedAt: number): void {
    const item = document.createElement('li')
    item.className = `entry ${kind} ${level}${isSilent ? ' silent' : ''}`
    addText(item, 'span', 'time', `+${(Math.max(0, at - startedAt) / 1000).toFixed(1)} s`)
    const isProblem = level === 'error' || level === 'warning'
    const serverKind = level === 'warning' ? 'server stderr' : kind
    const kindText = isProblem ? `${kind} ${level}` : kind === 'check' ? 'verified' : kind
    addText(item, 'span', 'kind', kind === 'server' ? serverKind : kindText)
    addText(item, 'span', 'text', text)
    if (changes !== undefined) addText(item, 'pre', 'more changes', changes)
    item.hidden = !matches(item)
    const key = kind === 'check' ? `${kind} ${at} ${text}` : String(seq)
    const earlier = items.get(key)
    if (earlier?.isEqualNode(item)) return
    if (earlier) earlier.replaceWith(item)
    else list.append(item)
    items.set(key, item)
  }
  return {
    open(next) {
      session = next
      readSeq = 0
      items.clear()
      list.replaceChildren()
      droppedLine.hidden = true
    },
    async update() {
      if (!session || isReading) return
      const current = session
      isReading = true
      const answer = await call(current.server, 'read', { session: current.id, after: readSeq })
      isReading = false
      if (session !== current || !answer.ok) return
      const { entries, dropped } = answer.value as { entries: ViewedEntry[]; dropped: number }
      droppedLine.hidden = dropped === 0
      droppedLine.textContent = `${dropped} earlier entries are gone.`
      if (entries.length === 0) return
      const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40
      for (const entry of entries) addEntry(entry, current.createdAt)
      // An open one is read again.
      const firstOpen = entries.find(({ isOpen }) => isOpen)
      readSeq = firstOpen
        ? firstOpen.seq - 1
        : Math.max(readSeq, ...entries.map(({ seq, lastSeq = seq }) => lastSeq))
      for (const [key, item] of [...items].slice(0, -ENTRIES_LIMIT)) {
        item.remove()
        items.delete(key)
      }
      filter()
      if (isAtEnd) list.scrollTop = list.scrollHeight
    },
  }
}
