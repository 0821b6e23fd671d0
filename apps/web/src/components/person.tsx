import type { ReactNode } from 'react'
import type { Party } from '@ergon/contract'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { shortAddress } from '../lib/short-address.ts'
import { personMessages } from '../messages/person.ts'
import { Icon } from './icon.tsx'
import { Portrait } from './portrait.tsx'

/** What a person was given, of 100, and by how many; null while nobody rated. */
export type Rated = { readonly score: number | null; readonly count: number }

type StarsProps = { readonly rated: Rated; readonly plain?: boolean; readonly counted?: boolean }

/** Stars of a score of 0 to 100: the hundred itself is on the profile alone. */
export function Stars({ rated, plain = false, counted = true }: StarsProps): ReactNode {
  const say = useMessages(personMessages)
  const format = useFormat()
  if (rated.score === null || rated.count === 0) return <span className="text-quiet">{say('newHere')}</span>
  const stars = format.number(rated.score / 20, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <span className="numbers text-quiet">
      <span className="inline-flex items-center gap-1 whitespace-nowrap">
        <Icon name="star-fill" className="star text-[0.85em]" /> {stars}
      </span>
      {counted && (
        <span className={plain ? 'visually-hidden' : ''}>{` ${say('fromRatings', { count: rated.count })}`}</span>
      )}
    </span>
  )
}

type ChipProps = {
  readonly address: string
  readonly party?: Party | undefined
  readonly name?: string | null | undefined
  readonly picture?: string | null | undefined
  readonly rated?: Rated | undefined
  /** Whether it says how many ratings the stars are of. */
  readonly counted?: boolean
  readonly size?: 24 | 40 | 44
}

/** A person, an agent or a robot: portrait and name first; the address is told where nobody has a name. */
export function PersonChip({ address, party, name, picture, rated, counted = true, size = 40 }: ChipProps): ReactNode {
  const say = useMessages(personMessages)
  const isNamed = name !== undefined && name !== null && name !== ''
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5 text-left">
      <Portrait address={address} party={party} name={isNamed ? name : undefined} picture={picture} size={size} />
      <span className="grid min-w-0">
        <span className="line-clamp-3 leading-tight font-label wrap-break-word">
          {isNamed ? name : party === undefined || party === 'human' ? say('noName') : say(`kind.${party}`)}
        </span>
        <span className="text-micro leading-snug text-quiet">
          {isNamed && party !== undefined && party !== 'human' && <>{say(`kind.${party}`)} </>}
          {!isNamed && (
            <span className="numbers font-mono text-[0.92em]" title={address}>
              {shortAddress(address)}
            </span>
          )}
          {rated !== undefined && (
            <>
              {!isNamed && ' · '}
              <Stars rated={rated} counted={counted} />
            </>
          )}
        </span>
      </span>
    </span>
  )
}
