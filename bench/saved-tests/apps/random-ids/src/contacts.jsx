import { useState } from 'react'
import { nanoid } from 'nanoid'
import { ContactPanel } from './contact-panel.jsx'
import { ContactRow } from './contact-row.jsx'
import { Bar, Clickable, Page } from './styles.js'
import { loadPeople, matches, sortPeople } from './people.js'

const run = nanoid(8)

export function Contacts() {
  const [people, setPeople] = useState(loadPeople)
  const [query, setQuery] = useState('')
  const [sortKey, setSortKey] = useState('')
  const [selected, setSelected] = useState(new Set())
  const [edited, setEdited] = useState()
  const [showsArchive, setShowsArchive] = useState(false)
  const [sortId] = useState(() => `sort-${nanoid()}`)

  const shown = sortPeople(
    people.filter((person) => person.isArchived === showsArchive && matches(person, query)),
    sortKey,
  )
  const update = (id, part) =>
    setPeople(people.map((person) => (person.id === id ? { ...person, ...part } : person)))
  const select = (id) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  const archiveSelected = () => {
    setPeople(people.map((person) => (selected.has(person.id) ? { ...person, isArchived: true } : person)))
    setSelected(new Set())
  }
  const save = (draft) => {
    if (draft.id === undefined)
      setPeople([...people, { ...draft, id: nanoid(), isFavourite: false, isArchived: false }])
    else update(draft.id, draft)
    setEdited(undefined)
  }
  return (
    <Page>
      <h1>Contacts</h1>
      <small>Session {run}</small>
      <Bar>
        <input
          id={nanoid()}
          placeholder="Search contacts"
          value={query}
          onChange={(e) => setQuery(e.target.value)}
        />
        <label htmlFor={sortId}>Sort by</label>
        <select id={sortId} value={sortKey} onChange={(e) => setSortKey(e.target.value)}>
          <option value="">nothing</option>
          <option value="name">Name</option>
          <option value="company">Company</option>
        </select>
        <label>
          <input type="checkbox" checked={showsArchive} onChange={() => setShowsArchive(!showsArchive)} />{' '}
          Archive
        </label>
        <Clickable onClick={() => setEdited({ name: '', company: '', phone: '' })}>Add contact</Clickable>
      </Bar>
      {selected.size > 0 && (
        <Bar>
          <span>{selected.size} selected</span>
          <button id={`archive-${run}`} onClick={archiveSelected}>
            Archive selected
          </button>
        </Bar>
      )}
      <p>
        {shown.length} of {people.length} contacts
      </p>
      {shown.map((person) => (
        <ContactRow
          key={person.id}
          person={person}
          isSelected={selected.has(person.id)}
          onSelect={() => select(person.id)}
          onFavour={() => update(person.id, { isFavourite: !person.isFavourite })}
          onEdit={() => setEdited(person)}
        />
      ))}
      {edited && (
        <ContactPanel key={edited.id} initial={edited} onSave={save} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  )
}
