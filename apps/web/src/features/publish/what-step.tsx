import { useState, type ReactNode } from 'react'
import { categories, limits } from '@ergon/contract'
import { Failure } from '../../components/failure.tsx'
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { emptyDraft, templates, type FormPart, type TaskDraft, type Template } from './draft.ts'
import { publishMessages } from './messages.ts'

/** What has to be done, or one of the tasks that many ask for. */
export function WhatStep({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(wordMessages)
  return (
    <div className="grid gap-6">
      <Templates change={change} />
      <TextField
        label={say('name')}
        hint={say('nameHint')}
        value={draft.title}
        maxLength={limits.titleMax}
        error={faultOf('title')}
        onChange={({ target }) => {
          change({ title: target.value })
        }}
      />
      <TextAreaField
        label={say('instructions')}
        hint={say('instructionsHint')}
        value={draft.instructions}
        maxLength={limits.instructionsMax}
        error={faultOf('instructions')}
        onChange={({ target }) => {
          change({ instructions: target.value })
        }}
      />
      <SelectField
        label={say('category')}
        value={draft.category}
        error={faultOf('category')}
        onChange={({ target }) => {
          change({ category: categories.find((one) => one === target.value) ?? '' })
        }}
      >
        <option value="">{say('choose')}</option>
        {categories.map((one) => (
          <option key={one} value={one}>
            {words(`category.${one}`)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

function Templates({ change }: { readonly change: (part: Partial<TaskDraft>) => void }): ReactNode {
  const say = useMessages(publishMessages)
  const { language } = useSpeech()
  const [error, setError] = useState<unknown>()
  const fill = async ({ key, part }: Template): Promise<void> => {
    setError(undefined)
    const { [language]: texts } = (await import('./template-messages.ts')).templateMessages
    change({
      ...emptyDraft,
      ...part,
      title: texts[`text.${key}.title`],
      instructions: texts[`text.${key}.instructions`],
      criteria: texts[`text.${key}.criteria`].split('\n'),
    })
  }
  return (
    <section aria-labelledby="templates" className="grid min-w-0 gap-2">
      <h2 id="templates" className="font-sans text-base font-label tracking-normal">
        {say('templates')}
      </h2>
      <div className="chip-row">
        {templates.map((template) => (
          <button
            key={template.key}
            type="button"
            className="chip"
            onClick={() => {
              fill(template).catch(setError)
            }}
          >
            {say(`template.${template.key}`)}
          </button>
        ))}
      </div>
      {error !== undefined && <Failure error={error} />}
    </section>
  )
}
