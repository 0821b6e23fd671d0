import type { CheckReasonCode } from '@ergon/contract'
import { defineMessages, type Messages } from '../../lib/messages.ts'

/** Why a check answers as it does, by the code the service gives; a code that one language lacks does not compile. */
export const reasonMessages = defineMessages({
  en: {
    evidence_complete: 'Everything required is there and has its form.',
    no_place: 'The task names no place.',
    no_position: 'No position was handed in.',
    within_radius: 'Taken {distance_m} from the place, known to {accuracy_m}. Up to {radius_m} counts.',
    outside_radius: 'Taken {distance_m} from the place, known to {accuracy_m}. Up to {radius_m} counts.',
    edge_of_radius:
      'Taken {distance_m} from the place, known only to {accuracy_m}. Up to {radius_m} counts, so it may be inside or outside.',
    position_by_picture_only:
      'Taken {distance_m} from the place, but only the picture says so. Up to {radius_m} counts.',
    accuracy_untold: 'The device did not say how accurate its position is.',
    accuracy_useless: 'The device claims to be accurate to {accuracy_m}, which is no position.',
    accuracy_made_up: 'The device claims to be accurate to {accuracy_m}, as made-up positions do.',
    accuracy_beyond_radius:
      'The device claims to be accurate to {accuracy_m}, and up to {radius_m} from the place counts.',
    accuracy_plausible: 'The device claims to be accurate to {accuracy_m}.',
    fixes_too_few:
      '{fixes, plural, =0 {No single measurements of the position were} one {# measurement of the position was} other {# measurements of the position were}} handed in; it takes {fixes_needed} to tell.',
    fixes_stand_still:
      '{fixes, plural, one {# measurement} other {# measurements}} of the position without the least movement.',
    fixes_at_one_pace:
      '{fixes, plural, one {# measurement} other {# measurements}} of the position at one pace with one accuracy.',
    fixes_wander:
      '{fixes, plural, one {# measurement} other {# measurements}} of the position that wander, as real ones do.',
    position_copied: 'The position is the point of the task to five decimals.',
    position_not_copied: 'The position is not copied from the task.',
    position_unknown_to_device: 'The device does not know where it is.',
    no_earlier_position: 'There is no earlier position of this worker.',
    earlier_positions_too_poor: 'No earlier position of this worker is known well enough.',
    journey_possible:
      '{distance_m} since an earlier position in {clocks, select, two {{apart_s} to {apart_most_s}: at least {speed_kmh}} other {{apart_s}: {speed_kmh}}}.',
    journey_doubtful:
      '{distance_m} since an earlier position in {clocks, select, two {{apart_s} to {apart_most_s}: at least {speed_kmh}} other {{apart_s}: {speed_kmh}}}. That is fast.',
    journey_impossible:
      '{distance_m} since an earlier position in {clocks, select, two {{apart_s} to {apart_most_s}: at least {speed_kmh}} other {{apart_s}: {speed_kmh}}}. Nobody travels that fast.',
    no_hasty_repeat: 'No other place was reported within {within_s}.',
    hasty_repeat: '{distance_m} from a place reported less than {within_s} before.',
    no_capture_time: 'Nothing says when it was captured.',
    captured_in_time: 'Captured between assignment and submission.',
    captured_before_assignment: 'Captured {early_s} before the task was assigned.',
    captured_too_late: 'Captured {late_s} after it can have been.',
    captured_before_assignment_by_wrong_clock:
      'Captured {early_s} before the task was assigned, by a clock that is off by {clock_off_s}.',
    captured_too_late_by_wrong_clock:
      'Captured {late_s} after it can have been, by a clock that is off by {clock_off_s}.',
    clock_untold: 'The device said nothing of its clock.',
    clock_off: 'The clock of the device is off by {clock_off_s}.',
    zone_off: 'The time zone of the device is {apart_h} from where it claims to be.',
    clock_fits: 'Clock and time zone of the device fit.',
    no_file: 'No file was handed in.',
    files_seen_before:
      '{copied, plural, one {# file was} other {# files were}} handed in before for other work, of {files} in all.',
    files_not_looked_for:
      '{unopened, plural, one {# file was} other {# files were}} not looked for, of {files} in all.',
    files_new: 'No file was handed in before.',
    no_picture: 'No picture was handed in.',
    picture_like_earlier:
      '{bits, plural, =0 {A picture looks exactly like an earlier one.} one {A picture differs from an earlier one by no more than # of 64 bits.} other {A picture differs from an earlier one by no more than # of 64 bits.}}',
    picture_somewhat_like_earlier:
      'A picture looks somewhat like an earlier one: {bits, plural, one {# of 64 bits differs} other {# of 64 bits differ}}.',
    pictures_not_opened:
      '{unopened, plural, one {# picture} other {# pictures}} could not be opened, of {pictures} in all.',
    pictures_new: 'No earlier picture is like it.',
    pictures_not_comparable: 'Nothing on the picture can be compared.',
    pictures_silent: 'No picture says anything of itself.',
    pictures_without_place: 'No picture says where it was taken.',
    picture_taken_elsewhere: 'A picture says it was taken {distance_m} from the position.',
    pictures_taken_there: 'The pictures were taken where the position is, as they say.',
    picture_generated: 'A picture says it was generated: “{words}”.',
    pictures_not_generated: 'No picture says it was generated.',
    no_photo: 'No photo was handed in.',
    photo_like_screen: 'A photo has the format and the shape of a screen and says nothing of a camera.',
    photos_not_like_screen: 'No photo has the look of a screen.',
    no_reviewer: 'This service has set up no reviewer. That says nothing about the work.',
    reviewer_silent:
      'The reviewer gave no answer: {cause, select, timeout {it took too long} refused {it refused} malformed {what it said could not be read} unreachable {it could not be reached} other {{cause}}}.',
    reviewer_addressed: 'Text in the evidence tries to tell the reviewer what to say.',
    reviewer_says_no: 'The reviewer says no: “{words}”',
    reviewer_says_yes: 'The reviewer answers yes to every question.',
    reviewer_unsure: 'The reviewer could not tell.',
  },
  es: {
    evidence_complete: 'Está todo lo necesario y tiene su forma.',
    no_place: 'La tarea no indica ningún lugar.',
    no_position: 'No se entregó ninguna posición.',
    within_radius: 'Tomada a {distance_m} del lugar, con una precisión de {accuracy_m}. Vale hasta {radius_m}.',
    outside_radius: 'Tomada a {distance_m} del lugar, con una precisión de {accuracy_m}. Vale hasta {radius_m}.',
    edge_of_radius:
      'Tomada a {distance_m} del lugar, con una precisión de solo {accuracy_m}. Vale hasta {radius_m}, así que puede estar dentro o fuera.',
    position_by_picture_only: 'Tomada a {distance_m} del lugar, pero solo lo dice la imagen. Vale hasta {radius_m}.',
    accuracy_untold: 'El dispositivo no indicó la precisión de su posición.',
    accuracy_useless: 'El dispositivo dice tener una precisión de {accuracy_m}: eso no es una posición.',
    accuracy_made_up: 'El dispositivo dice tener una precisión de {accuracy_m}, como las posiciones inventadas.',
    accuracy_beyond_radius:
      'El dispositivo dice tener una precisión de {accuracy_m}, y vale hasta {radius_m} del lugar.',
    accuracy_plausible: 'El dispositivo dice tener una precisión de {accuracy_m}.',
    fixes_too_few:
      '{fixes, plural, =0 {No se entregó ninguna medición suelta} one {Se entregó # medición} other {Se entregaron # mediciones}} de la posición; hacen falta {fixes_needed} para saberlo.',
    fixes_stand_still: '{fixes, plural, one {# medición} other {# mediciones}} de la posición sin el menor movimiento.',
    fixes_at_one_pace:
      '{fixes, plural, one {# medición} other {# mediciones}} de la posición al mismo ritmo y con la misma precisión.',
    fixes_wander:
      '{fixes, plural, one {# medición} other {# mediciones}} de la posición que varían, como las de verdad.',
    position_copied: 'La posición es el punto de la tarea hasta el quinto decimal.',
    position_not_copied: 'La posición no está copiada de la tarea.',
    position_unknown_to_device: 'El dispositivo no sabe dónde está.',
    no_earlier_position: 'No hay ninguna posición anterior de quien trabaja.',
    earlier_positions_too_poor: 'Ninguna posición anterior de quien trabaja se conoce con suficiente precisión.',
    journey_possible:
      '{distance_m} desde una posición anterior {clocks, select, two {entre {apart_s} y {apart_most_s}: al menos {speed_kmh}} other {en {apart_s}: {speed_kmh}}}.',
    journey_doubtful:
      '{distance_m} desde una posición anterior {clocks, select, two {entre {apart_s} y {apart_most_s}: al menos {speed_kmh}} other {en {apart_s}: {speed_kmh}}}. Es mucha velocidad.',
    journey_impossible:
      '{distance_m} desde una posición anterior {clocks, select, two {entre {apart_s} y {apart_most_s}: al menos {speed_kmh}} other {en {apart_s}: {speed_kmh}}}. Nadie viaja tan rápido.',
    no_hasty_repeat: 'No se indicó ningún otro lugar en {within_s}.',
    hasty_repeat: 'A {distance_m} de un lugar indicado menos de {within_s} antes.',
    no_capture_time: 'Nada dice cuándo se tomó.',
    captured_in_time: 'Tomada entre la asignación y la entrega.',
    captured_before_assignment: 'Tomada {early_s} antes de que se asignara la tarea.',
    captured_too_late: 'Tomada {late_s} después de lo posible.',
    captured_before_assignment_by_wrong_clock:
      'Tomada {early_s} antes de que se asignara la tarea, según un reloj que se desvía {clock_off_s}.',
    captured_too_late_by_wrong_clock:
      'Tomada {late_s} después de lo posible, según un reloj que se desvía {clock_off_s}.',
    clock_untold: 'El dispositivo no dijo nada de su reloj.',
    clock_off: 'El reloj del dispositivo se desvía {clock_off_s}.',
    zone_off: 'El huso horario del dispositivo está a {apart_h} de donde dice estar.',
    clock_fits: 'El reloj y el huso horario del dispositivo encajan.',
    no_file: 'No se entregó ningún archivo.',
    files_seen_before:
      '{copied, plural, one {# archivo ya se había entregado} other {# archivos ya se habían entregado}} para otro trabajo, de {files} en total.',
    files_not_looked_for:
      '{unopened, plural, one {# archivo no se pudo buscar} other {# archivos no se pudieron buscar}}, de {files} en total.',
    files_new: 'Ningún archivo se había entregado antes.',
    no_picture: 'No se entregó ninguna imagen.',
    picture_like_earlier:
      '{bits, plural, =0 {Una imagen es igual que otra anterior.} one {Una imagen se diferencia de otra anterior en solo # de 64 bits.} other {Una imagen se diferencia de otra anterior en solo # de 64 bits.}}',
    picture_somewhat_like_earlier:
      'Una imagen se parece algo a otra anterior: {bits, plural, one {cambia # de 64 bits} other {cambian # de 64 bits}}.',
    pictures_not_opened:
      '{unopened, plural, one {# imagen no se pudo abrir} other {# imágenes no se pudieron abrir}}, de {pictures} en total.',
    pictures_new: 'Ninguna imagen anterior se le parece.',
    pictures_not_comparable: 'En la imagen no hay nada que se pueda comparar.',
    pictures_silent: 'Ninguna imagen dice nada de sí misma.',
    pictures_without_place: 'Ninguna imagen dice dónde se tomó.',
    picture_taken_elsewhere: 'Una imagen dice que se tomó a {distance_m} de la posición.',
    pictures_taken_there: 'Las imágenes se tomaron donde está la posición, según dicen.',
    picture_generated: 'Una imagen dice que fue generada: «{words}».',
    pictures_not_generated: 'Ninguna imagen dice que fue generada.',
    no_photo: 'No se entregó ninguna foto.',
    photo_like_screen: 'Una foto tiene el formato y la forma de una pantalla y no dice nada de una cámara.',
    photos_not_like_screen: 'Ninguna foto parece una pantalla.',
    no_reviewer: 'Este servicio no tiene ningún revisor. Eso no dice nada del trabajo.',
    reviewer_silent:
      'El revisor no respondió: {cause, select, timeout {tardó demasiado} refused {se negó} malformed {no se pudo leer lo que dijo} unreachable {no se pudo contactar con él} other {{cause}}}.',
    reviewer_addressed: 'Un texto de las pruebas intenta decirle al revisor qué responder.',
    reviewer_says_no: 'El revisor dice que no: «{words}»',
    reviewer_says_yes: 'El revisor responde que sí a todas las preguntas.',
    reviewer_unsure: 'El revisor no pudo decidir.',
  },
}) satisfies Messages<CheckReasonCode>
