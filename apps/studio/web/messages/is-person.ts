/** Whether a decision was made in a window of the studio: there is only one person. */
export const isPerson = (by: string): boolean => by === 'user' || by === 'studio' || by === 'you'
