import { useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Address } from '../../components/address.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useDue } from '../../components/metered/use-due.ts'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Facts, Loading, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { shortAddress } from '../../lib/short-address.ts'
import { answerKey, useRead } from '../../lib/market.tsx'
import { useCloseWhen } from '../../lib/use-close-when.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { useIsAllSigned, useWallet } from '../../wallet/wallet.tsx'
import { reviewMessages } from './messages.ts'

const changed = [
  'h2a.get',
  'h2a.submissions',
  'h2a.list',
  'tasks.list',
  'submissions.get',
  'tasks.get',
  'payments.get',
  'payments.events',
  'events.list',
  'meters.get',
] as const

type Challenge = Output<'h2a.approveChallenge'>
type ApproveProps = {
  readonly title: string
  readonly task: Output<'h2a.get'>
  readonly submissionId: string
  readonly workerWallet: string | undefined
  readonly workerName: string | undefined
  readonly workerPicture: string | null | undefined
  /** Whether the bounty is on its way; undefined while nobody knows. */
  readonly isPaying: boolean | undefined
  readonly open: boolean
  readonly onClose: () => void
}

/**
 * Paying: what the service asks to be signed, one signature, then the truth about the payment until the chain has
 * confirmed it.
 */
export function ApproveDialog(props: ApproveProps): ReactNode {
  const { title, task, submissionId, workerWallet, isPaying, open: isAsked, onClose } = props
  const say = useMessages(reviewMessages)
  const common = useMessages(commonMessages)
  // What was accepted is signed for already: the wallet is asked for nothing.
  const isMetered = useDue(task)?.isMetered === true
  const approval = useApproval(props, isMetered)
  // What was signed before a reload, or in another window, is under way: the page says so, and nothing is asked again.
  const isElsewhere = isPaying === true && !approval.busy && approval.error === null
  useCloseWhen(isElsewhere && isAsked, onClose)
  const open = isAsked && !isElsewhere
  const { data: challenge, error } = useRead(
    'h2a.approveChallenge',
    { task_id: task.id },
    { enabled: open && isPaying === false && !approval.busy, staleTime: 60_000 },
  )
  const isReady = challenge !== undefined && challenge.submission_id === submissionId && workerWallet !== undefined
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <div className="grid gap-4">
        {error !== null && !approval.busy && <Failure error={error} />}
        {!isReady && error === null && <Loading says={common('loading')} />}
        {isReady && <Split {...props} challenge={challenge} worker={workerWallet} isMetered={isMetered} />}
        {approval.busy && approval.isSigned && <Note tone="move" role="status" title={say('paying')} />}
        {approval.error !== null && <Failure error={approval.error} />}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{common(approval.busy && approval.isSigned ? 'close' : 'cancel')}</Button>
          {isReady && (
            <Button
              kind="primary"
              busy={approval.busy}
              onClick={() => {
                approval.approve(challenge, workerWallet)
              }}
            >
              {say(isMetered ? 'approve' : 'confirmPay')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

type SplitProps = Pick<ApproveProps, 'task' | 'workerName'> & {
  readonly challenge: Challenge
  readonly worker: string
  readonly isMetered: boolean
}

function Split({ task, challenge, worker, workerName, isMetered }: SplitProps): ReactNode {
  const say = useMessages(reviewMessages)
  const networkTitle = useNetworkTitle()
  const format = useFormat()
  const { worker_net_usdc: payout, platform_fee_usdc: fee, gross_amount_usdc: total } = challenge
  return (
    <>
      <Facts
        rows={[
          // A ledger pays the address that the worker proved there, which the meter tells.
          ...(isMetered ? [] : [[say('payTo'), <Address key="to" value={worker} />] as const]),
          [say('payout'), <Money key="payout" usd={payout} className="text-lg" />],
          [say('fee'), format.usd(fee)],
          [
            say(isMetered ? 'totalMetered' : task.escrow_status === 'none' ? 'totalDirect' : 'total'),
            format.usd(total),
          ],
          [say('network'), networkTitle(task.payment_network)],
        ]}
      />
      <p>
        {say('approveSays', {
          worker: workerName ?? shortAddress(worker),
          payout: format.usd(payout),
          fee: format.usd(fee),
          total: format.usd(total),
        })}
      </p>
    </>
  )
}

type Approving = {
  readonly approve: (challenge: Challenge, worker: string) => void
  readonly busy: boolean
  /** The wallet has signed all of it: from now on it may be paid. */
  readonly isSigned: boolean
  readonly error: Error | null
}

function useApproval(
  { task, submissionId, workerName, workerPicture, onClose }: ApproveProps,
  isMetered: boolean,
): Approving {
  const say = useMessages(reviewMessages)
  const format = useFormat()
  const queries = useQueryClient()
  const tell = useToast()
  const { act } = useWallet()
  const [isSigned, setIsSigned] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ challenge, worker }: { readonly challenge: Challenge; readonly worker: string }) => {
      const { worker_net_usdc: payout, platform_fee_usdc: fee, gross_amount_usdc: total, expires_at } = challenge
      const called = workerName ?? shortAddress(worker)
      return act(
        {
          title: say('approveSigns', { payout: format.usd(payout), worker: called }),
          explanation: say('approveSays', {
            worker: called,
            payout: format.usd(payout),
            fee: format.usd(fee),
            total: format.usd(total),
          }),
          payer: task.agent_id,
          payee: worker,
          amountUsd: total,
          mostLostUsd: total,
          expiresAt: expires_at,
          network: task.payment_network,
          way: task.escrow_status === 'none' ? 'direct' : 'out',
          payeeName: workerName,
          payeePicture: workerPicture,
          receivedUsd: payout,
        },
        // What the page showed is what is signed for: another wallet, amount or network is refused before the wallet
        // opens.
        (client) =>
          client.approveSubmission({
            submission_id: submissionId,
            worker_wallet: worker,
            bounty_usd: task.bounty_usd,
            payment_network: task.payment_network,
          }),
        () => {
          setIsSigned(true)
        },
      )
    },
    onMutate: () => {
      setIsSigned(isMetered)
    },
    onSuccess: () => {
      tell(say('paid'))
    },
    onSettled: () => {
      for (const read of changed) void queries.invalidateQueries({ queryKey: answerKey(read) })
    },
  })
  const isAllSigned = useIsAllSigned(isSigned)
  // Whoever left the page meanwhile is not led back to it.
  return {
    busy: isPending,
    isSigned: isAllSigned,
    error,
    approve: (challenge, worker) => {
      mutate({ challenge, worker }, { onSuccess: onClose })
    },
  }
}
