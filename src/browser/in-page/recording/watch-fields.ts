import type { ActionWatch, ReportedElement, ReportedFile } from './action-watch.ts'

/** Reports the values that a person enters, chooses or has filled in by the browser. */
export function watchFields(watch: ActionWatch): void {
  const TEXT_LIMIT_CHARS = 20_000
  const FILES_LIMIT_BYTES = 10_000_000

  async function readFiles(files: FileList | null): Promise<ReportedFile[]> {
    const reports: ReportedFile[] = []
    let size = 0
    for (const file of files ?? []) {
      size += file.size
      if (size > FILES_LIMIT_BYTES) break
      const bytes = new Uint8Array(await file.arrayBuffer())
      let binary = ''
      for (let start = 0; start < bytes.length; start += 8192)
        binary += String.fromCharCode(...bytes.subarray(start, start + 8192))
      reports.push({ name: file.name, content: btoa(binary) })
    }
    return reports
  }
  const labelOf = (option: HTMLOptionElement, select: HTMLSelectElement) => {
    const label = option.label.trim()
    const isOnly = [...select.options].filter((other) => other.label.trim() === label).length === 1
    return label !== '' && isOnly ? label : option.value
  }

  // Letter by letter it is the same field.
  let lastField: { readonly target: Element; readonly element: ReportedElement | undefined } | undefined
  const describeField = (target: Element): ReportedElement | undefined => {
    if (lastField?.target !== target) lastField = { target, element: watch.describe(target) }
    return lastField.element
  }

  watch.on('input', (_, target) => {
    if (target === watch.hiddenToggle) return void (watch.hiddenToggle = undefined)
    const element = describeField(target)
    if (!element) return
    if (target.localName === 'select') {
      const select = target as HTMLSelectElement
      const values = [...select.selectedOptions].map((option) => labelOf(option, select))
      return watch.report({ kind: 'select', element, values })
    }
    const { type, checked, value, files } = target as HTMLInputElement
    if (target.localName === 'input' && type === 'file')
      return void readFiles(files).then((contents) =>
        watch.report({ kind: 'upload', element, files: contents }),
      )
    if (target.localName === 'input' && /^(checkbox|radio)$/.test(type))
      return watch.report({ kind: 'fill', element, value: checked })
    const text = 'value' in target ? value : (target as HTMLElement).innerText
    watch.report({ kind: 'fill', element, value: text.slice(0, TEXT_LIMIT_CHARS) })
  })
  watch.on('change', (_, target) => {
    lastField = undefined
    if (watch.isTextField(target)) watch.report({ kind: 'settle' })
  })
}
