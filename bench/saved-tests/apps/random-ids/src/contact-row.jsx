import { IconButton, Row } from './styles.js'

export function ContactRow({ person, isSelected, onSelect, onFavour, onEdit }) {
  return (
    <Row id={`row-${person.id}`} className={`row-${person.id.slice(0, 6)}`}>
      <input type="checkbox" id={`select-${person.id}`} checked={isSelected} onChange={onSelect} />
      <label htmlFor={`select-${person.id}`}>{person.name}</label>
      <span>{person.company}</span>
      <span>{person.phone}</span>
      <span>
        <IconButton
          title={person.isFavourite ? 'Remove from favourites' : 'Add to favourites'}
          onClick={onFavour}
        >
          {person.isFavourite ? '★' : '☆'}
        </IconButton>
        <IconButton title="Edit contact" onClick={onEdit}>
          ✎
        </IconButton>
      </span>
    </Row>
  )
}
