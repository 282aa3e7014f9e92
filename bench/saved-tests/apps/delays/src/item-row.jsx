export function ItemRow({ item, onFavour, onQuantity, onRemove, onLabel }) {
  return (
    <tr>
      <td>{item.name}</td>
      <td>{item.quantity}</td>
      <td>
        <button aria-pressed={item.isFavourite} aria-label={`Favourite ${item.name}`} onClick={onFavour}>
          {item.isFavourite ? '★' : '☆'}
        </button>
        <button onClick={() => onQuantity(item.quantity - 1)}>Take one</button>
        <button onClick={onLabel}>Print label</button>
        <button onClick={onRemove}>Remove</button>
      </td>
    </tr>
  )
}
