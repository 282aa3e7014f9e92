// The words of a snapshot line after the name of its element.

export interface NodeStates {
  readonly name?: string
  readonly placeholder?: string
  readonly level?: number
  readonly checked?: boolean | 'mixed'
  readonly pressed?: boolean | 'mixed'
  readonly disabled?: boolean
  readonly expanded?: boolean
  readonly selected?: boolean
  readonly invalid?: boolean | string
  readonly focusable?: boolean
  readonly draggable?: boolean
  /** It takes text, though it is no field. */
  readonly editable?: boolean
  /** What a field takes that is no plain text, such as `date`. */
  readonly inputType?: string
  /** Transparent, one pixel in size or outside of the page. */
  readonly unseen?: boolean
}

/** The maximum length of a name in a line. */
export const NAME_LIMIT_CHARS = 200

export const clipName = (text: string): string =>
  text.length > NAME_LIMIT_CHARS ? `${text.slice(0, NAME_LIMIT_CHARS)}…` : text

/** The states of an element, each as it is shown; false for those that it does not have. */
export function statesOf(node: NodeStates, isControl: boolean, isClickable: boolean): (string | false)[] {
  const stateText = (name: 'checked' | 'pressed' | 'disabled' | 'selected' | 'expanded' | 'invalid') => {
    const value = node[name]
    if (value === undefined || (value === false && name !== 'expanded')) return false
    return value === true ? name : `${name}=${String(value)}`
  }
  return [
    node.inputType ?? false,
    node.level !== undefined && `level=${node.level}`,
    stateText('checked'),
    stateText('pressed'),
    stateText('expanded'),
    stateText('selected'),
    stateText('disabled'),
    stateText('invalid'),
    node.placeholder !== undefined &&
      node.placeholder !== node.name &&
      `placeholder=${JSON.stringify(clipName(node.placeholder))}`,
    isClickable && !isControl && 'clickable',
    node.editable === true && !isControl && 'editable',
    node.focusable === true && !isClickable && !node.editable && 'focusable',
    node.draggable === true && 'draggable',
    node.unseen === true && 'unseen',
  ]
}
