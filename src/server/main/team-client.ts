/** The client of a team's server: a bundle of its own, loaded when a project has a team. */
export { connectTeam } from '../team-client/connect';
