// The label of a form control is its name too, so its own line says nothing new.

interface Line {
  readonly role: string
  readonly name: string
  readonly ref?: string
}

const labelledRole = /^(textbox|searchbox|checkbox|radio|combobox|listbox|switch|slider|spinbutton)$/

/** The lines without texts that only repeat the name of the form control next to them. */
export const omitLabels = <L extends Line>(lines: readonly L[]): readonly L[] =>
  lines.filter(
    (line, index) =>
      line.role !== 'text' ||
      line.ref !== undefined ||
      ![lines[index - 1], lines[index + 1]].some((other) => other && isLabelOf(line, other)),
  )

const isLabelOf = (text: Line, { role, name }: Line): boolean =>
  labelledRole.test(role) && normalize(name) === normalize(text.name)

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim()
