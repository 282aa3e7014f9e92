interface StartDependencies {
  startSubmitWatch(): void
  startLossWatch(): void
}

/** Watches what keeps a click from its effect; `endClickWatch` returns it. */
export function startClickWatch({ startSubmitWatch, startLossWatch }: StartDependencies): void {
  startSubmitWatch()
  startLossWatch()
}

interface EndDependencies {
  endSubmitWatch(): string | undefined
  endLossWatch(): string | undefined
}

/** The invalid field that blocked a submit, or how the page lost the click. */
export function endClickWatch({ endSubmitWatch, endLossWatch }: EndDependencies): string | undefined {
  const invalidField = endSubmitWatch()
  const loss = endLossWatch()
  return invalidField ?? loss
}
