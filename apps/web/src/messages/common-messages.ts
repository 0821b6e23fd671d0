import { defineMessages } from '../lib/messages.ts'

/** Words that many screens use. */
export const commonMessages = defineMessages({
  en: {
    walletSays: 'The wallet says: {reason}', loading: 'Loading …', retry: 'Try again', cancel: 'Cancel', close: 'Close', save: 'Save', back: 'Back', next: 'Next', more: 'Show more', copy: 'Copy', copied: 'Copied', yes: 'Yes', no: 'No',
    unrated: 'Not rated yet', you: 'you', signInFirst: 'Sign in to see this.', signIn: 'Sign in', notFound: 'There is nothing at this address.', somethingWrong: 'This did not work.', optional: 'optional',
    timeLeft: '{left} left', timePast: 'ended {ago}',
  },
  es: {
    walletSays: 'La cartera dice: {reason}', loading: 'Cargando…', retry: 'Reintentar', cancel: 'Cancelar', close: 'Cerrar', save: 'Guardar', back: 'Atrás', next: 'Siguiente', more: 'Mostrar más', copy: 'Copiar', copied: 'Copiado', yes: 'Sí', no: 'No',
    unrated: 'Sin valoraciones', you: 'tú', signInFirst: 'Inicia sesión para ver esto.', signIn: 'Iniciar sesión', notFound: 'No hay nada en esta dirección.', somethingWrong: 'No ha funcionado.', optional: 'opcional',
    timeLeft: 'quedan {left}', timePast: 'terminó {ago}',
  },
})
