import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../components/icon.tsx'
import { useFormat } from '../../lib/format.ts'
import { writePoint } from '../../lib/geo.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { wordMessages } from '../../messages/words.ts'
import { discoverMessages } from './messages.ts'
import { usePosition } from './use-position.ts'

const fromUsd = 5
const walkKm = '2'

type QuickProps = {
  readonly at: '/find' | '/map'
  readonly search: Search
  readonly onChange: (search: Search) => void
}

/** What most look for, one tap each; a second tap takes it away again. */
export function QuickFilters({ at, search, onChange }: QuickProps): ReactNode {
  const say = useMessages(discoverMessages)
  const word = useMessages(wordMessages)
  const format = useFormat()
  const position = usePosition((point) => {
    onChange({ ...search, near: writePoint(point), within: search['within'] ?? walkKm })
  })
  const isNear = search['near'] !== undefined
  const chips = [
    ['min', String(fromUsd), say('fromAmount', { amount: format.number(fromUsd, whole) })],
    ['evidence', 'photo', word('evidence.photo')],
    ['evidence', 'text_response', word('evidence.text_response')],
  ] as const
  return (
    <div className="grid gap-1">
      <div role="group" aria-label={say('quick')} className="chip-row">
        <button
          type="button"
          className="chip"
          aria-pressed={isNear}
          aria-busy={position.isAsking}
          onClick={() => {
            if (isNear) onChange({ ...search, near: undefined, within: undefined })
            else position.ask()
          }}
        >
          <Icon name="map-pin-fill" />
          {say('nearMe')}
        </button>
        {chips.map(([name, value, text]) => {
          const isOn = search[name] === value
          return (
            <Link
              key={value}
              to={at}
              search={{ ...search, [name]: isOn ? undefined : value }}
              replace
              resetScroll={false}
              aria-current={isOn ? 'true' : undefined}
              className="chip"
            >
              {text}
            </Link>
          )
        })}
      </div>
      <p role="status" className="text-sm text-warn empty:hidden">
        {position.failure === undefined ? '' : say(position.failure === 'denied' ? 'geoDenied' : 'geoFailed')}
      </p>
    </div>
  )
}

const whole = { style: 'currency', currency: 'USD', maximumFractionDigits: 0 } as const
