interface WaitOptions {
  readonly minimumMs: number
  readonly maximumMs: number
}

/** Waits until the document changes, for at least `minimumMs` and at most `maximumMs` milliseconds. */
export function waitForChange(_: readonly Element[], { minimumMs, maximumMs }: WaitOptions): Promise<void> {
  return new Promise((resolve) => {
    let isEarly = true
    let hasChanged = false
    const observer = new MutationObserver(() => {
      hasChanged = true
      if (!isEarly) finish()
    })
    const timer = self.setTimeout(finish, maximumMs)
    function finish(): void {
      observer.disconnect()
      self.clearTimeout(timer)
      resolve()
    }
    self.setTimeout(() => {
      isEarly = false
      if (hasChanged) finish()
    }, minimumMs)
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })
}
