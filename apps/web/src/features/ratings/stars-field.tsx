import { useId, type ReactNode } from 'react'
import { useMessages } from '../../lib/i18n.tsx'
import { ratingMessages } from './messages.ts'
import { stars, type Stars } from './stars.ts'

type FieldProps = {
  readonly given: Stars | undefined
  readonly error: string | undefined
  readonly onGive: (stars: Stars) => void
}

/** One to five stars, as the choice that it is: arrows go through it, and each star has its name. */
export function StarsField({ given, error, onGive }: FieldProps): ReactNode {
  const say = useMessages(ratingMessages)
  const id = useId()
  return (
    <fieldset
      role="radiogroup"
      tabIndex={-1}
      className="grid gap-1.5"
      {...(error === undefined ? {} : { 'aria-describedby': `${id}-error`, 'aria-invalid': true })}
    >
      <legend className="mb-1 font-semibold">{say('how')}</legend>
      <div className="flex flex-wrap gap-1">
        {stars.map((one) => (
          <label
            key={one}
            className="grid size-11 cursor-pointer place-items-center rounded-lg has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
          >
            <input
              type="radio"
              name={id}
              value={one}
              checked={given === one}
              onChange={() => {
                onGive(one)
              }}
              className="visually-hidden"
            />
            <span className="visually-hidden">{say('stars', { n: one })}</span>
            <svg
              aria-hidden="true"
              viewBox="0 0 24 24"
              className={`size-8 ${given !== undefined && one <= given ? 'star fill-current' : 'fill-none text-edge'}`}
            >
              <path
                d="M12 2.8l2.8 5.9 6.4.9-4.7 4.5 1.2 6.4L12 17.4l-5.7 3.1 1.2-6.4L2.800 9.600l6.400-.9z"
                stroke="currentColor"
                strokeWidth="1.6"
                strokeLinejoin="round"
              />
            </svg>
          </label>
        ))}
      </div>
      <p className="text-sm text-quiet" aria-hidden="true">
        {given === undefined ? '' : say('stars', { n: given })}
      </p>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
