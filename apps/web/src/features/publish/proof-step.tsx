import type { ReactNode } from 'react'
import { limits, targets } from '@ergon/contract'
import { SelectField, TextField } from '../../components/field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { CriteriaFields } from './criteria-fields.tsx'
import { emptyDraft, type FormPart } from './draft.ts'
import { EvidencePicker } from './evidence-picker.tsx'
import { publishMessages } from './messages.ts'
import { PlaceFields } from './place-fields.tsx'

/** When it counts as done, what shows it, where, and by whom. */
export function ProofStep(part: FormPart): ReactNode {
  const { draft, change, faultOf } = part
  const say = useMessages(publishMessages)
  return (
    <div className="grid gap-8">
      <EvidencePicker
        id="evidence"
        legend={say('evidence')}
        hint={say('evidenceHint', { most: limits.evidenceMax })}
        error={faultOf('evidence_required')}
        chosen={draft.evidence}
        not={draft.optionalEvidence}
        onChange={(evidence) => {
          change({ evidence })
        }}
      />
      <CriteriaFields
        criteria={draft.criteria}
        onChange={(criteria) => {
          change({ criteria })
        }}
      />
      <section aria-labelledby="publish-place" className="grid gap-4">
        <h2 id="publish-place">{say('place')}</h2>
        <PlaceFields {...part} />
      </section>
      <Further {...part} />
    </div>
  )
}

/** What most leave as it is. It is open once it holds something else, or something to mend. */
function Further({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(wordMessages)
  const isUsed =
    draft.optionalEvidence.length > 0 ||
    draft.target !== emptyDraft.target ||
    draft.minReputation !== emptyDraft.minReputation ||
    faultOf('min_reputation') !== undefined ||
    faultOf('evidence_optional') !== undefined
  return (
    <details open={isUsed || undefined} className="fold">
      <summary>{say('further')}</summary>
      <div className="grid gap-5 pt-3">
        <SelectField
          label={say('target')}
          value={draft.target}
          error={faultOf('target_executor_type')}
          onChange={({ target }) => {
            change({ target: targets.find((one) => one === target.value) ?? 'any' })
          }}
        >
          {targets.map((one) => (
            <option key={one} value={one}>
              {words(`party.${one}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('minReputation')}
          hint={say('minReputationHint')}
          inputMode="numeric"
          value={draft.minReputation}
          error={faultOf('min_reputation')}
          onChange={({ target }) => {
            change({ minReputation: target.value })
          }}
        />
        <EvidencePicker
          id="evidence-optional"
          legend={say('evidenceOptional')}
          error={faultOf('evidence_optional')}
          chosen={draft.optionalEvidence}
          not={draft.evidence}
          onChange={(optionalEvidence) => {
            change({ optionalEvidence })
          }}
        />
      </div>
    </details>
  )
}
