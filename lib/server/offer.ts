import "server-only";
import { type Offer, type ProviderOffer, toOfferedTools } from "@/lib/core/check/offer";
import { findPatternMistake } from "@/lib/core/condition/pattern";
import type { ModelPort } from "@/lib/core/run/ports/model";
import { enteredConnections } from "./connections/active";
import { type OwnKeys, withOwnKeys } from "./connections/personal-keys";
import { type Env, getEnv } from "./env";
import {
  createModelPort,
  type EnteredConnections,
  isPricedIn,
  listModelServers,
  listProviders,
} from "./models/model-port";
import { ModelLists, type ReportedModels } from "./models/reported-models";
import { getTeamEnv } from "./team-env";
import { listTeamTools } from "./tools/registry";

/** What a team's connections come to. */
interface TeamModels {
  env: Env;
  entered: EnteredConnections;
  providers: readonly ProviderOffer[];
  models: ModelPort;
  lists: ModelLists;
}

const toTeamModels = (env: Env, entered: EnteredConnections): TeamModels => ({
  env,
  entered,
  providers: listProviders(env, entered),
  models: createModelPort(env, entered),
  lists: new ModelLists(listModelServers(env, entered)),
});

/** By team; kept until its connections change. */
const teamModels = new Map<string | undefined, TeamModels>();

function modelsOf(teamId: string | undefined): TeamModels {
  const [env, entered] = [getTeamEnv(teamId), enteredConnections(teamId)];
  const known = teamModels.get(teamId);
  if (known && known.env === env && known.entered === entered) return known;
  const made = toTeamModels(env, entered);
  teamModels.set(teamId, made);
  return made;
}

function modelsWith(teamId: string, own: OwnKeys): TeamModels {
  return toTeamModels(getTeamEnv(teamId), withOwnKeys(enteredConnections(teamId), own));
}

/** The models that a run of a team can ask with keys of who started it. */
export const findModelsWith = (teamId: string, own: OwnKeys): ModelPort => modelsWith(teamId, own).models;

/** What there is to run with for a team where a person's own keys are used. */
export function offerWith(teamId: string, own: OwnKeys): Offer {
  const { env, entered, providers } = modelsWith(teamId, own);
  return { ...currentOffer(teamId), providers, isPriced: (model) => isPricedIn(env, model, entered) };
}

/** The models that a team can ask now; without a team those of the environment. What was found keeps its connection. */
export const findModels = (teamId?: string): ModelPort => modelsOf(teamId).models;

/** The providers, and what each of them lacks for a team; without a team in the environment. */
export const listTeamProviders = (teamId?: string): readonly ProviderOffer[] => modelsOf(teamId).providers;

/** The models that a team's connected servers report now. Never rejects. */
export const listReportedModels = (teamId?: string): Promise<ReportedModels[]> => modelsOf(teamId).lists.read();

/** What there is to run with on this machine for a team; without a team by the environment alone. */
export const currentOffer = (teamId?: string): Offer => ({
  providers: listTeamProviders(teamId),
  ...toOfferedTools(listTeamTools(teamId)),
  checkPattern: findPatternMistake,
  isPriced: (model) => isPricedIn(getTeamEnv(teamId), model, enteredConnections(teamId)),
  costCeiling: getEnv().SWARMLOOM_MAX_COST,
});
