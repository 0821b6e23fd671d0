import type { ReactNode } from 'react'
import { categories, listingSorts } from '@ergon/contract'
import { useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Address } from '../../components/address.tsx'
import { Icon } from '../../components/icon.tsx'
import { Card } from '../../components/surface.tsx'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { wordMessages } from '../../messages/words.ts'
import { searchOfForm } from './filter.ts'
import { listingMessages } from './messages.ts'

/** The filters as a form; what it says goes into the address, and the address fills it in. */
export function ListingFilters({ search }: { readonly search: Search }): ReactNode {
  const say = useMessages(listingMessages)
  const words = useMessages(wordMessages)
  const { locale } = useSpeech()
  const navigate = useNavigate()
  const seller = search['seller']
  const isWide = useIsWide()
  return (
    <Card as="section">
      <h2 className="visually-hidden">{say('filters')}</h2>
      <details open={isWide || Object.keys(search).length > 0}>
        <summary className="inline-flex min-h-11 items-center gap-2 font-strong lg:hidden">
          <Icon name="sliders-horizontal-bold" /> {say('filters')}
        </summary>
        <form
          // Another address is another form: its fields begin with what the address says.
          key={JSON.stringify(search)}
          className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-5"
          onSubmit={(event) => {
            event.preventDefault()
            void navigate({ to: '/services', search: searchOfForm(new FormData(event.currentTarget), locale) })
          }}
        >
          <SelectField label={say('category')} name="category" defaultValue={search['category'] ?? ''}>
            <option value="">{say('anyCategory')}</option>
            {categories.map((one) => (
              <option key={one} value={one}>
                {words(`category.${one}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            label={say('skills')}
            hint={say('skillsHint')}
            name="skills"
            maxLength={200}
            defaultValue={search['skills'] ?? ''}
          />
          <TextField label={say('maxPrice')} name="price" inputMode="decimal" defaultValue={search['price'] ?? ''} />
          <TextField
            label={say('minReputation')}
            hint={say('minReputationHint')}
            name="reputation"
            inputMode="numeric"
            defaultValue={search['reputation'] ?? ''}
          />
          <SelectField label={say('sort')} name="sort" defaultValue={search['sort'] ?? 'recent'}>
            {listingSorts.map((one) => (
              <option key={one} value={one}>
                {say(`sort.${one}`)}
              </option>
            ))}
          </SelectField>
          {seller !== undefined && <SellerOnly seller={seller} />}
          <div className="flex flex-wrap gap-3 sm:col-span-2 lg:col-span-5">
            <Button type="submit">{say('apply')}</Button>
            {Object.keys(search).length > 0 && (
              <LinkButton to="/services" search={{}} kind="quiet">
                {say('clear')}
              </LinkButton>
            )}
          </div>
        </form>
      </details>
    </Card>
  )
}

function SellerOnly({ seller }: { readonly seller: string }): ReactNode {
  const say = useMessages(listingMessages)
  return (
    <p className="text-sm sm:col-span-2 lg:col-span-3">
      <input type="hidden" name="seller" value={seller} />
      {say('sellerOnly')} <Address value={seller} />
    </p>
  )
}
