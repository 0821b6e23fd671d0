import { defineMessages } from '../../lib/messages.ts'

/** Apart from the form's own, so that the page of a task does not bring those along. */
export const repeatMessages = defineMessages({
  en: {
    repeat: 'Publish it again',
    draftThere: 'You have a task that is not published yet.',
    draftOpen: 'Go on with it',
    draftReplace: 'Replace it with this one',
  },
  es: {
    repeat: 'Publicarla otra vez',
    draftThere: 'Tienes una tarea sin publicar.',
    draftOpen: 'Seguir con ella',
    draftReplace: 'Cambiarla por esta',
  },
})
