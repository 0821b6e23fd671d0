import { useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Address } from '../../components/address.tsx'
import { Button } from '../../components/button.tsx'
import { useDecider } from '../../components/deciders/use-decider.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useMeterTerms } from '../../components/metered/use-meter-terms.ts'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Facts, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { answerKey, useRead } from '../../lib/market.tsx'
import { useCloseWhen } from '../../lib/use-close-when.ts'
import { shortAddress } from '../../lib/short-address.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { useIsAllSigned, useWallet } from '../../wallet/wallet.tsx'
import type { Applicant } from './applicants.tsx'
import { assignMessages } from './messages.ts'

const changed = ['h2a.get', 'h2a.applications', 'h2a.list', 'tasks.list', 'tasks.get'] as const

type AssignProps = {
  readonly task: Output<'h2a.get'>
  readonly applicant: Applicant | undefined
  readonly onClose: () => void
}

/**
 * Choosing a worker: one signature, then the truth about the lock until the chain has confirmed it. Whoever left
 * meanwhile is not led back.
 */
export function AssignDialog({ task, applicant, onClose }: AssignProps): ReactNode {
  const say = useMessages(assignMessages)
  const format = useFormat()
  const queries = useQueryClient()
  const tell = useToast()
  const { act } = useWallet()
  const amount = format.usd(task.bounty_usd)
  const { on_silence: silence, review_hours: hours = 0 } = task.policy ?? {}
  const until = useRead('tasks.policy', { task_id: task.id }).data?.money_bound_until ?? undefined
  const meter = useMeterTerms(task)
  const isMetered = meter.terms !== null
  const way = isMetered ? 'assignSaysMetered' : silence === 'release' ? 'assignSaysSilence' : 'assignSays'
  const says = say(way, { amount, hours, who: useDecider(task, applicant?.wallet_address) })
  const [isSigned, setIsSigned] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (chosen: Applicant) =>
      act(
        {
          title: say('assignTo', { amount, worker: chosen.display_name ?? shortAddress(chosen.wallet_address) }),
          explanation: says,
          payer: task.agent_id,
          payee: chosen.wallet_address,
          amountUsd: task.bounty_usd,
          mostLostUsd: task.bounty_usd,
          network: task.payment_network,
          way: 'aside',
          payeeName: chosen.display_name ?? undefined,
          payeePicture: chosen.picture_url,
          comesBack: say('comesBack', { when: format.dateTime(task.deadline) }),
          boundUntil: until,
        },
        // What the page showed is what is signed for: another wallet, amount or network is refused before the wallet
        // opens.
        (client) =>
          client.assignWorker({
            task_id: task.id,
            executor_id: chosen.executor_id,
            worker_wallet: chosen.wallet_address,
            bounty_usd: task.bounty_usd,
            payment_network: task.payment_network,
          }),
        () => setIsSigned(true),
      ),
    onMutate: () => setIsSigned(false),
    onSuccess: () => tell(say(isMetered ? 'chosenMetered' : 'locked')),
    onSettled: () => changed.map((read) => queries.invalidateQueries({ queryKey: answerKey(read) })),
  })
  // What was signed before a reload, or in another window, is under way: the page says so, and nothing is asked again.
  const isOnItsWay = useIsAllSigned(isSigned) && isPending
  const isElsewhere = task.status === 'assigning' && !isPending && error === null
  useCloseWhen(isElsewhere && applicant !== undefined, onClose)
  return (
    <Dialog open={applicant !== undefined && !isElsewhere} title={say('assignTitle')} onClose={onClose}>
      {applicant !== undefined && (
        <div className="grid gap-4">
          <AssignFacts applicant={applicant} task={task} until={until} />
          {meter.terms !== undefined && <p>{says}</p>}
          {isOnItsWay && <Note tone="move" role="status" title={say('locking')} />}
          {(error ?? meter.error) !== null && <Failure error={error ?? meter.error} />}
          <AssignButtons
            isOnItsWay={isOnItsWay}
            isPending={isPending}
            isMetered={meter.terms === undefined ? undefined : isMetered}
            onConfirm={() => mutate(applicant, { onSuccess: onClose })}
            onClose={onClose}
          />
        </div>
      )}
    </Dialog>
  )
}

type AssignButtonsProps = {
  readonly isOnItsWay: boolean
  readonly isPending: boolean
  /** What is agreed to is said first: undefined until it is known. */
  readonly isMetered: boolean | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
}

function AssignButtons({ isOnItsWay, isPending, isMetered, onConfirm, onClose }: AssignButtonsProps): ReactNode {
  const say = useMessages(assignMessages)
  const common = useMessages(commonMessages)
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button onClick={onClose}>{common(isOnItsWay ? 'close' : 'cancel')}</Button>
      <Button kind="primary" busy={isPending} disabled={isMetered === undefined} onClick={onConfirm}>
        {say(isMetered === true ? 'confirmMetered' : 'confirm')}
      </Button>
    </div>
  )
}

type AssignFactsProps = {
  readonly applicant: Applicant
  readonly task: Output<'h2a.get'>
  readonly until: string | undefined
}

function AssignFacts({ applicant, task, until }: AssignFactsProps): ReactNode {
  const say = useMessages(assignMessages)
  const networkTitle = useNetworkTitle()
  const format = useFormat()
  return (
    <Facts
      rows={[
        ...(applicant.display_name === null
          ? []
          : [
              [
                say('person'),
                <span key="person" className="wrap-anywhere">
                  {applicant.display_name}
                </span>,
              ] as const,
            ]),
        [say('wallet'), <Address key="wallet" value={applicant.wallet_address} />],
        [say('bounty'), <Money key="bounty" usd={task.bounty_usd} />],
        [say('network'), networkTitle(task.payment_network)],
        ...(until === undefined ? [] : [[say('boundUntil'), format.dateTime(until)] as const]),
      ]}
    />
  )
}
