import type { ReactNode } from 'react'
import { categories, limits } from '@ergon/contract'
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { emptyDraft, templates, type FormPart, type TaskDraft, type Template } from './draft.ts'
import { publishMessages } from './messages.ts'

/** What has to be done, or one of the tasks that many ask for. */
export function WhatStep({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(wordMessages)
  return (
    <div className="grid gap-6">
      <Templates use={change} />
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

function Templates({ use }: { readonly use: (part: Partial<TaskDraft>) => void }): ReactNode {
  const say = useMessages(publishMessages)
  return (
    <section aria-labelledby="templates" className="grid min-w-0 gap-2">
      <h2 id="templates" className="font-sans text-base font-label tracking-normal">
        {say('templates')}
      </h2>
      <div className="chip-row">
        {templates.map((template) => (
          <button key={template.key} type="button" className="chip" onClick={() => use(filled(template, say))}>
            {say(`template.${template.key}`)}
          </button>
        ))}
      </div>
    </section>
  )
}

function filled(
  { key, part }: Template,
  say: (key: `text.${Template['key']}.${'title' | 'instructions' | 'criteria'}`) => string,
): Partial<TaskDraft> {
  return {
    ...emptyDraft,
    ...part,
    title: say(`text.${key}.title`),
    instructions: say(`text.${key}.instructions`),
    criteria: say(`text.${key}.criteria`).split('\n'),
  }
}
