import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { ErgonError, type Client } from '@ergon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { CheckField, TextAreaField, TextField } from '../../components/field.tsx'
import { Card } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { asChange, type Change as Changing } from '../../lib/change.ts'
import { useDraft, type FieldFaults } from '../../lib/form.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { answerKey, useFinding, useRead } from '../../lib/market.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { useWallet } from '../../wallet/wallet.tsx'
import { AwardFacts } from './award-facts.tsx'
import { awardOf, readShare } from './award.ts'
import { decideMessages } from './decide-messages.ts'
import { verdictOf } from './decision.ts'
import type { Dispute } from './dispute-view.tsx'
import { NotForYou } from './not-for-you.tsx'
import { ruleMessages } from './rule-messages.ts'
import { noRuling, readRuling, type RulingDraft, type Said } from './ruling-draft.ts'
import { signRuling } from './sign-ruling.ts'
import { VerdictField } from './verdict-field.tsx'

type RuleProps = { readonly dispute: Dispute; readonly conditions: readonly string[] }
type Change = (part: Partial<RulingDraft>) => void

/** An arbiter's part: a verdict with its grounds, where the money would go, and the signature (decision 0168). */
export function Rule({ dispute, conditions }: RuleProps): ReactNode {
  const say = useMessages(ruleMessages)
  const words = useMessages(decideMessages)
  const form = useRef<HTMLFormElement>(null)
  const tell = useToast()
  const [draft, change, forget] = useDraft<RulingDraft>(`rule.${dispute.id}`, noRuling)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const hours = useRead('disputes.arbiters', {}, { staleTime: 60_000 }).data?.appeal_hours
  const rule = useRuling(dispute)
  const [verdict, share] = [verdictOf(draft), readShare(draft.share)]
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readRuling(dispute.id, draft, conditions)
    showIn(event.currentTarget, setFaults)('faults' in read ? read.faults : {})
    if ('faults' in read) return
    rule.mutate(read.said, {
      onSuccess: () => {
        forget()
        tell(say('ruled'))
      },
    })
  }
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('rule')}</h2>
      {hours !== undefined && <p className="text-quiet">{say('lead', { hours })}</p>}
      <form ref={form} noValidate onSubmit={send} className="grid gap-5">
        <VerdictPart draft={draft} change={change} faults={faults} />
        <Grounds
          draft={draft}
          change={change}
          conditions={conditions}
          error={faults['criteria']?.rule === 'too_few' ? say('noGround') : faultOf('criteria')}
        />
        <TextAreaField
          label={words('reason')}
          hint={say('reasonHelp')}
          required
          rows={3}
          value={draft.reason}
          onChange={({ target }) => change({ reason: target.value })}
          error={faultOf('reason')}
        />
        {verdict !== undefined && (verdict !== 'split' || share !== undefined) && (
          <div role="status" className="grid gap-2 rounded-control bg-sunken px-4 py-3.5">
            <h3>{words('preview')}</h3>
            <AwardFacts bountyUsd={dispute.disputed_amount_usdc} verdict={verdict} share={share ?? 0} />
          </div>
        )}
        {rule.error instanceof ErgonError && rule.error.code === 'FORBIDDEN' ? (
          <NotForYou why="kin" />
        ) : (
          rule.error !== null && <Failure error={rule.error} />
        )}
        <Button kind="primary" type="submit" busy={rule.isPending}>
          {say('sign')}
        </Button>
      </form>
    </Card>
  )
}

type VerdictPartProps = { readonly draft: RulingDraft; readonly change: Change; readonly faults: FieldFaults }

function VerdictPart({ draft, change, faults }: VerdictPartProps): ReactNode {
  const words = useMessages(decideMessages)
  return (
    <>
      <VerdictField
        chosen={draft.verdict}
        error={faults['verdict'] === undefined ? undefined : words('choose')}
        choose={(one) => change({ verdict: one })}
      />
      {verdictOf(draft) === 'split' && (
        <TextField
          label={words('share')}
          hint={words('shareHelp')}
          required
          inputMode="numeric"
          maxLength={2}
          value={draft.share}
          onChange={({ target }) => change({ share: target.value })}
          error={faults['split_pct'] === undefined ? undefined : words('shareWrong')}
        />
      )}
    </>
  )
}

type GroundsProps = {
  readonly draft: RulingDraft
  readonly change: Change
  readonly conditions: readonly string[]
  readonly error: string | undefined
}

/** The conditions of the task, to tick, and a ground of the arbiter's own; nothing is ticked beforehand. */
function Grounds({ draft: { chosen, own }, change, conditions, error }: GroundsProps): ReactNode {
  const say = useMessages(ruleMessages)
  return (
    <>
      {conditions.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-semibold">{say('conditions')}</legend>
          {conditions.map((one) => (
            <CheckField
              key={one}
              label={<span className="wrap-anywhere">{one}</span>}
              checked={chosen.includes(one)}
              onChange={({ target }) => {
                change({ chosen: target.checked ? [...chosen, one] : chosen.filter((other) => other !== one) })
              }}
            />
          ))}
        </fieldset>
      )}
      <TextField
        label={say(conditions.length > 0 ? 'own' : 'conditions')}
        hint={say(conditions.length > 0 ? 'conditionsHelp' : 'reasonHelp')}
        value={own}
        onChange={({ target }) => change({ own: target.value })}
        error={error}
      />
    </>
  )
}

/** Fetches what is to be signed, has the wallet sign it once it was explained, and hands it in. */
function useRuling(dispute: Dispute): Changing<Said, unknown> {
  const say = useMessages(ruleMessages)
  const format = useFormat()
  const { act } = useWallet()
  const queries = useQueryClient()
  const mutation = useMutation<unknown, Error, Said>({
    mutationFn: (said) => {
      const { grossUsd, backUsd } = awardOf(dispute.disputed_amount_usdc, said.verdict, said.split_pct ?? 0)
      const intent = {
        title: say(`signs.${said.verdict}`, { gross: format.usd(grossUsd), back: format.usd(backUsd) }),
        explanation: say('says', {
          reason: said.reason,
          criteria: said.criteria.map((one) => `– ${one}`).join('\n'),
        }),
        mostLostUsd: 0,
      }
      return act(intent, (client) => ruleWith(client, said))
    },
    onSettled: async () => {
      // First that it is ruled on, and then that it waits for nobody.
      await queries.invalidateQueries({ queryKey: answerKey('disputes.ruling') })
      for (const read of ['disputes.list', 'events.list'] as const)
        void queries.invalidateQueries({ queryKey: answerKey(read) })
    },
  })
  return asChange(mutation, useFinding(['disputes.ruling', 'disputes.list', 'events.list']))
}

async function ruleWith(client: Client, said: Said): Promise<unknown> {
  const { signer } = client
  if (signer === undefined) throw new TypeError('no wallet')
  const { data } = await client.call('disputes.rulingChallenge', said)
  const signature = await signRuling(signer, data, said)
  return client.call('disputes.rule', { ...said, nonce: data.nonce, deadline: data.deadline, signature })
}
