import { useDeferredValue, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import type { Found } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'
import { keepRowHeights, readRowHeights } from './row-heights.ts'
import { TaskCard } from '../../components/task-card.tsx'

/** A card on a wide screen is about this high; each is measured when it is drawn. */
const usualHeight = 158
const gap = 12
const rowsAhead = 8
const noRows: ListProps['found'] = []

type ListProps = {
  readonly found: readonly Found[]
  readonly total: number | undefined
  readonly isLoadingMore: boolean
  readonly more: () => void
  /** The task that is meant on the map beside the list. */
  readonly marked?: string | undefined
  readonly onMark?: (taskId: string | undefined) => void
}

/** A list of any length of which only what can be seen is in the page; it asks for more before its end is reached. */
export function TaskList({ found: read, total, isLoadingMore, more, marked, onMark }: ListProps): ReactNode {
  // Rows are drawn in slices; what a finger does in between is not kept waiting.
  const found = useDeferredValue(read, noRows)
  const say = useMessages(discoverMessages)
  const split = useSplit()
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const [heights] = useState(readRowHeights)
  const rows = useWindowVirtualizer<HTMLLIElement>({
    count: found.length,
    estimateSize: (index) => heights[found[index]?.task.id ?? ''] ?? usualHeight,
    gap,
    overscan: 3,
    scrollMargin: top,
    getItemKey: (index) => found[index]?.task.id ?? index,
  })
  useListTop(list, setTop)
  useEffect(() => {
    const keep = (): void => {
      keepRowHeights(Object.fromEntries(rows.measurementsCache.map(({ key, size }) => [String(key), size] as const)))
    }
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [rows])
  const shown = rows.getVirtualItems()
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= found.length - rowsAhead
  useEffect(() => {
    if (isNearEnd) more()
  }, [isNearEnd, more, found.length])
  return (
    <div>
      <ul ref={list} aria-label={say('tasks')} className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const one = found[index]
          return (
            one !== undefined && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={total ?? -1}
                className={`@container absolute inset-x-0 top-0 ${one.task.id === marked ? 'is-marked' : ''}`}
                onPointerEnter={() => onMark?.(one.task.id)}
                onPointerLeave={() => onMark?.(undefined)}
                onFocus={() => onMark?.(one.task.id)}
                onBlur={() => onMark?.(undefined)}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <TaskCard task={one.task} metres={one.metres} split={split} />
              </li>
            )
          )
        })}
      </ul>
      <p role="status" className="pt-4 text-center text-sm text-quiet">
        {isLoadingMore ? say('loadingMore') : found.length === total ? say('end') : ''}
      </p>
    </div>
  )
}

/** Where on the page the list begins: what is above it may grow. */
function useListTop(list: RefObject<HTMLUListElement | null>, setTop: (top: number) => void): void {
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const measure = (): void => {
      setTop(Math.round(element.getBoundingClientRect().top + window.scrollY))
    }
    const watched = new ResizeObserver(measure)
    watched.observe(document.body)
    return () => {
      watched.disconnect()
    }
  }, [list, setTop])
}
