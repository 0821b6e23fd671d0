import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { folded } from '../components/towns/fold.ts'
import { Dialog } from '../components/dialog.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { readWords } from '../lib/search.ts'
import { useSession } from '../wallet/wallet.tsx'
import { shellMessages } from './messages.ts'
import { around, forSoftware, mySoftware, tiles } from './places.ts'

const paletteMessages = defineMessages({
  en: {
    title: 'Go to',
    label: 'A page, or words to search for',
    search: 'Search tasks for “{words}”',
    mine: 'Search my tasks for “{words}”',
    many: 'Post tasks from a table',
    notifications: 'Notifications',
    spend: 'Money I spent',
    map: 'Map',
  },
  es: {
    title: 'Ir a',
    label: 'Una página o palabras que buscar',
    search: 'Buscar «{words}» en las tareas',
    mine: 'Buscar «{words}» en mis tareas',
    many: 'Publicar tareas desde una tabla',
    notifications: 'Avisos',
    spend: 'Dinero que gasté',
    map: 'Mapa',
  },
})

type Place = { readonly name: string; readonly to: string; readonly q?: string | undefined }

/** Every place by its name, and a search in words; by keyboard alone. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const say = useMessages(paletteMessages)
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const found = useFound(typed)
  const active = found[Math.min(at, found.length - 1)]
  const go = ({ to, q }: Place): void => {
    onClose()
    void navigate({ to, search: q === undefined ? {} : { q } })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) setAt((Math.min(at, found.length - 1) + move + found.length) % found.length)
    else if (event.key === 'Enter' && active !== undefined) go(active)
    else return
    event.preventDefault()
  }
  return (
    <Dialog open title={say('title')} onClose={onClose} closesOnScrim>
      <div className="grid gap-3">
        <input
          type="text"
          role="combobox"
          aria-label={say('label')}
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-activedescendant={active === undefined ? undefined : `${listId}-${String(found.indexOf(active))}`}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          className="input"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={listId} role="listbox" aria-label={say('title')} className="grid max-h-80 overflow-y-auto">
          {found.map((place, index) => (
            <li
              key={`${place.to} ${place.q ?? ''}`}
              // The chosen one stays in sight.
              ref={place === active ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
              id={`${listId}-${String(index)}`}
              role="option"
              aria-selected={place === active}
              className="flex min-h-11 cursor-pointer items-center rounded-control px-3 hover:bg-sunken aria-selected:bg-brand-soft aria-selected:text-brand"
              onClick={() => go(place)}
            >
              {place.name}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

function useFound(typed: string): readonly Place[] {
  const say = useMessages(paletteMessages)
  const shell = useMessages(shellMessages)
  const { wallet } = useSession()
  const isIn = typeof wallet === 'string'
  const places = useMemo<readonly Place[]>(
    () => [
      { name: shell('find'), to: '/find' },
      { name: say('map'), to: '/map' },
      { name: shell('publish'), to: '/publish' },
      ...(isIn
        ? [
            { name: say('many'), to: '/publish/many' },
            { name: shell('work'), to: '/work' },
            { name: shell('money'), to: '/earnings' },
            { name: say('spend'), to: '/my/spend' },
            { name: say('notifications'), to: '/notifications' },
            { name: shell('seeProfile'), to: '/profile' },
          ]
        : [{ name: shell('signIn'), to: '/sign-in' }]),
      ...[...(isIn ? tiles : []), ...around, ...forSoftware, ...(isIn ? mySoftware : [])].map(([to, name]) => ({
        name: shell(name),
        to,
      })),
    ],
    [say, shell, isIn],
  )
  const words = readWords(typed)
  if (words === undefined) return places
  const named = places.filter(({ name }) => folded(name).includes(folded(typed)))
  return [
    ...named,
    { name: say('search', { words }), to: '/find', q: words },
    ...(isIn ? [{ name: say('mine', { words }), to: '/my/tasks', q: words }] : []),
  ]
}
