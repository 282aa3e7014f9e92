import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { useState } from 'react'

const DELAY_MS = 150

export function Cards() {
  const [cards, setCards] = useState(['Plan', 'Build', 'Test'])
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { delay: DELAY_MS, tolerance: 5 } }),
  )
  function sort({ active, over }) {
    if (over) setCards((all) => arrayMove(all, all.indexOf(active.id), all.indexOf(over.id)))
  }
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={sort}>
      <SortableContext items={cards} strategy={verticalListSortingStrategy}>
        <ol>
          {cards.map((card) => (
            <Card key={card} id={card} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function Card({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id })
  const style = { transform: CSS.Transform.toString(transform), transition, padding: 10, width: 200 }
  return (
    <li className="card" ref={setNodeRef} style={style} {...attributes} {...listeners}>
      {id}
    </li>
  )
}
