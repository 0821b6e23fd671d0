import type { ReactNode } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { answerKey } from '../../lib/market.tsx'
import { useSettings } from '../../lib/settings-context.tsx'
import { fundTestWallet } from '../../wallet/test-wallet.ts'
import { walletMessages } from './wallet-messages.ts'

/** On a local chain money comes from a faucet; elsewhere this is nothing. */
export function TestMoney({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(walletMessages)
  const { faucetUrl } = useSettings()
  const queries = useQueryClient()
  const fund = useMutation({
    mutationFn: (from: string) => fundTestWallet(from, wallet),
    onSuccess: () => queries.invalidateQueries({ queryKey: answerKey('payments.balance') }),
  })
  if (faucetUrl === null) return null
  return (
    <div className="grid gap-3">
      <Button
        kind="primary"
        busy={fund.isPending}
        onClick={() => {
          fund.mutate(faucetUrl)
        }}
      >
        {say('faucet')}
      </Button>
      {fund.isSuccess && <Note tone="good" role="status" title={say('funded')} />}
      {fund.isError && <Note tone="bad" role="alert" title={say('faucetFailed')} />}
    </div>
  )
}
