import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { PersonChip } from '../../components/person.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { landingMessages } from './messages.ts'

/** The best rated of this service, by their own names; nobody is made up where nobody is here yet. */
export function WhoIsHere(): ReactNode {
  const say = useMessages(landingMessages)
  const { data } = useRead('reputation.leaderboard', { limit: 3, offset: 0 }, { staleTime: 60_000 })
  const named = data?.leaderboard.filter(({ display_name: name }) => name !== null) ?? []
  return (
    <section className="grid items-center gap-8 wide:grid-cols-2 wide:gap-16" aria-labelledby="who">
      <div className="grid gap-4">
        <h2 id="who" className="text-[clamp(1.75rem,1.4rem+1.6vw,2.5rem)] leading-display">
          {say('whoTitle')}
        </h2>
        <p className="text-quiet">{say('whoHow')}</p>
      </div>
      {named.length > 0 && (
        <ul className="grid gap-4">
          {named.map(({ id, wallet_address, executor_type, display_name, picture_url }) => (
            <li key={id}>
              <Link to="/people/$workerId" params={{ workerId: id }} className="inline-flex min-h-11 items-center">
                <PersonChip
                  address={wallet_address}
                  party={executor_type}
                  name={display_name}
                  picture={picture_url}
                  size={44}
                />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
