import { useState, type FormEvent, type ReactNode } from 'react'
import { BlockButton } from '../../components/block-button.tsx'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { PersonChip } from '../../components/person.tsx'
import { Card } from '../../components/surface.tsx'
import { faultsOf, type FieldFaults } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { shortAddress } from '../../lib/short-address.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { accountMessages } from './messages.ts'
import { usePeopleMet, type Met } from './people-met.ts'

type BlockedProps = { readonly wallet: string; readonly workerId: string | null }

/** Whom the person blocked, and whom of those it has worked with it may block. */
export function BlockedCard({ wallet, workerId }: BlockedProps): ReactNode {
  const say = useMessages(accountMessages)
  const { data, error } = useRead('users.blocked', { limit: 100 })
  const met = usePeopleMet(wallet, workerId)
  const metAt = (address: string): Met | undefined =>
    met.find((one) => one.wallet.toLowerCase() === address.toLowerCase())
  const blocked = data?.blocked ?? []
  const others = met.filter((one) => !blocked.some(({ wallet: of }) => of.toLowerCase() === one.wallet.toLowerCase()))
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('blocked')}</h2>
      <p className="text-quiet">{say(data !== undefined && blocked.length === 0 ? 'blockedNone' : 'blockedSome')}</p>
      <ul className="rows grid empty:hidden">
        {blocked.map((one) => (
          <Row key={one.id} of={metAt(one.wallet) ?? { wallet: one.wallet }} word={say('unblock')} />
        ))}
      </ul>
      <details>
        <summary className="link inline-flex min-h-11 items-center">{say('blockPerson')}</summary>
        <div className="grid gap-4 pt-1">
          <ul className="rows grid empty:hidden">
            {others.map((one) => (
              <Row key={one.wallet} of={one} word={say('block')} />
            ))}
          </ul>
          <ByAddress />
        </div>
      </details>
      {error !== null && <Failure error={error} />}
    </Card>
  )
}

type RowProps = { readonly of: Pick<Met, 'wallet'> & Partial<Met>; readonly word: string }

function Row({ of: { wallet, name, party, picture }, word }: RowProps): ReactNode {
  return (
    <li className="flex items-center justify-between gap-3">
      <PersonChip address={wallet} party={party} name={name} picture={picture} size={40} />
      <BlockButton wallet={wallet} name={name ?? shortAddress(wallet)} word={word} />
    </li>
  )
}

/** For whom one has not worked with. */
function ByAddress(): ReactNode {
  const say = useMessages(accountMessages)
  const [wallet, setWallet] = useState('')
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const block = useChange('users.block', ['users.blocked'])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const input = { wallet: wallet.trim() }
    const found = faultsOf('users.block', input)
    setFaults(found)
    if (Object.keys(found).length === 0)
      block.mutate(input, {
        onSuccess: () => {
          setWallet('')
        },
      })
  }
  return (
    <form onSubmit={submit} noValidate className="grid items-start gap-3 sm:grid-cols-[1fr_auto]">
      <TextField
        label={say('blockWallet')}
        hint={say('blockHint')}
        value={wallet}
        error={faultOf('wallet')}
        onChange={({ target }) => {
          setWallet(target.value)
        }}
      />
      <Button type="submit" busy={block.isPending} className="sm:mt-7">
        {say('block')}
      </Button>
      {block.error !== null && <Failure error={block.error} />}
    </form>
  )
}
