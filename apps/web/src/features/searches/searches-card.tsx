import type { ReactNode } from 'react'
import { Button, LinkButton } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Empty, Loading } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { addressOf, type SavedSearch } from '../../lib/saved-filter.ts'
import type { Search } from '../../lib/search.ts'
import { useGoOn } from '../../lib/way-back.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { searchMessages } from './messages.ts'
import { SaveForm } from './save-form.tsx'
import { useFilterWords } from './use-filter-words.ts'

/** What a person hears of, and the way to it. */
export function SearchesCard({ search }: { readonly search: Search }): ReactNode {
  const goOn = useGoOn()
  const common = useMessages(commonMessages)
  const say = useMessages(searchMessages)
  const { data, error } = useRead('searches.list', {})
  if (data === undefined)
    return error === null ? <Loading says={common('loading')} rows={2} /> : <Failure error={error} />
  return (
    <section aria-labelledby="searches" className="card grid gap-4">
      <div className="grid gap-1">
        <h2 id="searches">{say('mine')}</h2>
        {search['save'] === undefined && <p className="text-sm text-quiet">{say('mineLead')}</p>}
      </div>
      {search['save'] !== undefined && (
        <SaveForm
          search={search}
          searches={data.searches}
          onClose={() => {
            void goOn({ to: '/notifications', search: {}, replace: true })
          }}
        />
      )}
      {data.searches.length === 0 && search['save'] === undefined ? (
        <Empty title={say('none')}>
          <p className="text-quiet">{say('noneSays')}</p>
          <LinkButton to="/find">{say('find')}</LinkButton>
        </Empty>
      ) : (
        <ul className={`grid gap-4 empty:hidden ${search['save'] === undefined ? '' : 'border-t border-line pt-4'}`}>
          {data.searches.map((one) => (
            <Saved key={one.slot} search={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Saved({ search }: { readonly search: SavedSearch }): ReactNode {
  const say = useMessages(searchMessages)
  const format = useFormat()
  const tell = useToast()
  const wordsOf = useFilterWords()
  const remove = useChange('searches.remove', ['searches.list'])
  const { slot, name, filter, told_at: toldAt, ends_at: endsAt } = search
  const words = wordsOf(filter)
  return (
    <li className="grid gap-2">
      <div className="grid">
        <h3 className="wrap-anywhere">{name}</h3>
        {words !== name && <p className="wrap-anywhere">{words}</p>}
        <p className="text-sm text-quiet">
          {toldAt !== null && `${say('told', { when: format.dateTime(toldAt) })}. `}
          {say('until', { when: format.date(endsAt) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/find" search={addressOf(filter)}>
          {say('see')}
          <span className="visually-hidden">: {name}</span>
        </LinkButton>
        <Button
          kind="quiet"
          busy={remove.isPending}
          onClick={() => {
            remove.mutate({ slot }, { onSuccess: () => tell(say('removed')) })
          }}
        >
          {say('remove')}
          <span className="visually-hidden">: {name}</span>
        </Button>
      </div>
      {remove.error !== null && <Failure error={remove.error} />}
    </li>
  )
}
