import type { ServedFrame, ServedSession } from './view-answers.ts'

export interface Grid {
  show(sessions: readonly ServedSession[]): void
  setFrame(key: string, frame: ServedFrame): void
}

interface GridOptions {
  readonly describeControl: (session: ServedSession) => string
  readonly describeFailures: (session: ServedSession) => string
  /** Its place in the address. */
  readonly keyOf: (session: ServedSession) => string
}

/** The live sessions, those that wait for a person first. */
export function createGrid({ describeControl, describeFailures, keyOf }: GridOptions): Grid {
  const list = document.querySelector<HTMLElement>('#cards')!
  const none = document.querySelector<HTMLElement>('#none')!
  const cards = new Map<
    string,
    { item: HTMLElement; link: HTMLAnchorElement; image: HTMLImageElement; lines: HTMLElement[] }
  >()
  const lineClasses = ['', 'reason', 'failures', '', 'muted', 'muted']
  function createCard(key: string) {
    const item = document.createElement('li')
    const link = item.appendChild(document.createElement('a'))
    link.href = `#/${key}`
    const image = link.appendChild(document.createElement('img'))
    image.alt = ''
    image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
    const lines = lineClasses.map((name, index) => {
      const line = link.appendChild(document.createElement(index === 0 ? 'h3' : 'p'))
      line.className = name
      return line
    })
    return { item, link, image, lines }
  }
  const textsOf = (session: ServedSession): string[] => {
    const { name, browser, folder, branch, url, lastAction } = session
    return [
      name,
      describeControl(session),
      describeFailures(session),
      lastAction ?? 'No action yet',
      url,
      [folder, branch, browser].filter(Boolean).join(' · '),
    ]
  }
  return {
    show(sessions) {
      const rank = ({ control }: ServedSession) => (control.by === 'nobody' ? 0 : 1)
      const sorted = [...sessions].sort((a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt)
      const keys = sorted.map(keyOf)
      for (const [key, { item }] of cards) {
        if (keys.includes(key)) continue
        item.remove()
        cards.delete(key)
      }
      none.hidden = sessions.length > 0
      sorted.forEach((session, index) => {
        const key = keys[index] ?? ''
        const card = cards.get(key) ?? createCard(key)
        cards.set(key, card)
        card.link.classList.toggle('waits', session.control.by === 'nobody')
        textsOf(session).forEach((text, at) => {
          const line = card.lines[at]!
          if (line.textContent !== text) line.textContent = text
          line.hidden = text === ''
        })
        // A card that moves would lose the focus.
        if (list.children[index] !== card.item) list.insertBefore(card.item, list.children[index] ?? null)
      })
    },
    setFrame(key, { base64 }) {
      const card = cards.get(key)
      if (card) card.image.src = `data:image/jpeg;base64,${base64}`
    },
  }
}
