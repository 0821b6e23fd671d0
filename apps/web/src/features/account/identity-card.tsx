import { useState, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Card } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { answerKey } from '../../lib/market.tsx'
import { useWallet } from '../../wallet/wallet.tsx'
import { accountMessages } from './messages.ts'

/** The entry in the registry that carries reputation from one service to the next. */
export function IdentityCard({
  wallet,
  agentId,
}: {
  readonly wallet: string
  readonly agentId: number | null
}): ReactNode {
  const say = useMessages(accountMessages)
  const format = useFormat()
  const tell = useToast()
  const queries = useQueryClient()
  const { actSigned } = useWallet()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const register = (): void => {
    setBusy(true)
    setError(undefined)
    actSigned(
      { title: say('identityIntent', { wallet }), explanation: say('identityExplains'), mostLostUsd: 0 },
      (client) => client.reputation.register({}),
    )
      .then(({ status }) => {
        tell(say(status === 'pending' ? 'identityPending' : 'identityMade'))
      })
      .catch(setError)
      .finally(() => {
        setBusy(false)
        void queries.invalidateQueries({ queryKey: answerKey('workers.get') })
      })
  }
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('identity')}</h2>
      <p className="text-quiet">{say('identityLead')}</p>
      {agentId === null ? (
        <div>
          <Button busy={busy} onClick={register}>
            {say('makeIdentity')}
          </Button>
        </div>
      ) : (
        <p className="numbers font-semibold">ERC-8004 {format.number(agentId)}</p>
      )}
      {error !== undefined && <Failure error={error} />}
    </Card>
  )
}
