import { useState } from 'react'
import { nanoid } from 'nanoid'
import { normalizePhone } from './people.js'
import { Panel } from './styles.js'

const labels = { name: 'Name', company: 'Company', phone: 'Phone' }

export function ContactPanel({ initial, onSave, onClose }) {
  const [draft, setDraft] = useState(initial)
  const [ids] = useState(() => Object.fromEntries(Object.keys(labels).map((key) => [key, nanoid()])))
  const [problem, setProblem] = useState('')
  const save = () => {
    if (draft.name.trim() === '') return setProblem('A contact needs a name.')
    onSave({ ...draft, name: draft.name.trim(), phone: normalizePhone(draft.phone) })
  }
  return (
    <Panel>
      <h2>{initial.id === undefined ? 'New contact' : `Edit ${initial.name}`}</h2>
      {Object.entries(labels).map(([key, label]) => (
        <p key={key}>
          <label htmlFor={ids[key]}>{label}</label>
          <br />
          <input
            id={ids[key]}
            name={`${key}-${ids[key]}`}
            value={draft[key]}
            onChange={(event) => setDraft({ ...draft, [key]: event.target.value })}
          />
        </p>
      ))}
      {problem && <p role="alert">{problem}</p>}
      <button onClick={save}>Save</button> <button onClick={onClose}>Close</button>
    </Panel>
  )
}
