//! Questions, the yes that is used once, and what was about to be sent.

use legwork_store::{Fact, Fate, Illegal, Says, Standing, Store, StoreError, TaskState};

use super::support::{
    OVER, answered, approval, asked, at, committing, ended, entry, follows, id, intent, owner, parked,
    submission, under_way, verdict,
};

pub(crate) async fn the_first_of_many_answers_counts(store: &Store) {
    let (task, fence) = under_way(store, "a").await;
    store.record(&task.id, &fence, vec![asked("q"), parked("q")], at(3)).await.unwrap();
    let answers: Vec<_> = (0..20)
        .map(|n| {
            let store = store.clone();
            let says = if n % 2 == 0 { Says::Yes } else { Says::No };
            tokio::spawn(
                async move { (says.clone(), store.answer(&approval("q"), verdict(says), at(4)).await) },
            )
        })
        .collect();
    let mut counted = vec![];
    for answer in answers {
        match answer.await.unwrap() {
            (says, Ok(_)) => counted.push(says),
            (_, Err(StoreError::Illegal { why: Illegal::Decided(_), .. })) => {}
            (_, Err(other)) => panic!("{other}"),
        }
    }
    assert_eq!(counted.len(), 1);
    let one = store.approval(&approval("q")).await.unwrap().unwrap();
    assert_eq!(one.verdict.as_ref().map(|verdict| &verdict.says), counted.first());
    let nobodys = store.answer(&approval("none"), verdict(Says::Yes), at(5)).await;
    assert!(matches!(nobodys, Err(StoreError::NoApproval(_))));
}

pub(crate) async fn a_yes_is_used_once_in_time_and_by_its_own_task(store: &Store) {
    let (task, fence) = under_way(store, "a").await;
    let (other, others) = under_way(store, "b").await;
    store.record(&task.id, &fence, vec![asked("q"), asked("late")], at(3)).await.unwrap();
    let why = |refused: Result<_, StoreError>| match refused {
        Err(StoreError::Illegal { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    let early = store.record(&task.id, &fence, vec![committing("i", Some("q"))], at(4)).await.map(|_| ());
    assert_eq!(why(early), Illegal::Decided(Standing::Waiting), "nobody said yes");
    for name in ["q", "late"] {
        store.answer(&approval(name), verdict(Says::Yes), at(5)).await.unwrap();
    }
    let stolen = store.record(&other.id, &others, vec![committing("i", Some("q"))], at(6)).await.map(|_| ());
    assert_eq!(why(stolen), Illegal::NoQuestion);
    let same_name = store.record(&other.id, &others, vec![asked("q")], at(6)).await.map(|_| ());
    assert_eq!(why(same_name), Illegal::Twice, "names are nobody else's");
    store.record(&task.id, &fence, vec![committing("i", Some("q"))], at(7)).await.unwrap();
    let twice = store.record(&task.id, &fence, vec![committing("j", Some("q"))], at(8)).await.map(|_| ());
    assert_eq!(why(twice), Illegal::Decided(Standing::Used));
    let late =
        store.record(&task.id, &fence, vec![committing("k", Some("late"))], at(OVER)).await.map(|_| ());
    assert_eq!(why(late), Illegal::TooLate);
    let sent = Fact::Committed { intent: intent("i"), fate: Fate::Sent };
    store.record(&task.id, &fence, vec![sent.clone()], at(9)).await.unwrap();
    assert_eq!(
        why(store.record(&task.id, &fence, vec![sent], at(10)).await.map(|_| ())),
        Illegal::Closed(Fate::Sent)
    );
    store.record(&task.id, &fence, vec![ended()], at(11)).await.unwrap();
    let view = store.view(&task.id).await.unwrap().unwrap();
    let standings: Vec<Standing> = view.approvals.iter().map(|one| one.standing).collect();
    assert_eq!(standings, [Standing::Used, Standing::Withdrawn], "a yes does not outlive its task");
}

pub(crate) async fn whoever_waits_without_a_page_is_next_in_line_with_the_answer(store: &Store) {
    for (name, says, standing) in [("a", Says::Yes, Standing::Approved), ("b", Says::No, Standing::Denied)] {
        let (task, fence) = under_way(store, name).await;
        store.record(&task.id, &fence, vec![asked(name), parked(name)], at(3)).await.unwrap();
        let waits = store.say(&task.id, Fact::Released { why: "a restart".into() }, at(4)).await.unwrap();
        assert_eq!((waits.state, &waits.owner, waits.waits_for.is_some()), (TaskState::Waiting, &None, true));
        assert_eq!(store.claim(&owner("me"), at(5)).await.unwrap(), None, "it waits");
        let woken = store.record(&task.id, &fence, vec![Fact::Woken], at(5)).await;
        assert!(matches!(woken, Err(StoreError::Illegal { why: Illegal::NotTheDoer, .. })), "{woken:?}");
        store.answer(&approval(name), verdict(says), at(6)).await.unwrap();
        let again = store.claim(&owner("me"), at(7)).await.unwrap().unwrap();
        assert_eq!((again.id.clone(), again.epoch), (task.id.clone(), 2));
        let view = store.view(&task.id).await.unwrap().unwrap();
        assert_eq!(view.approvals[0].standing, standing, "{name}");
        follows(&view, &store.lines(Some(&task.id), 0, 100).await.unwrap());
        store.record(&task.id, &again.fence().unwrap(), vec![ended()], at(8)).await.unwrap();
    }
    // Whoever holds its page goes on by itself.
    let (task, fence) = under_way(store, "c").await;
    store.record(&task.id, &fence, vec![asked("c"), parked("c")], at(3)).await.unwrap();
    let told = store.answer(&approval("c"), verdict(Says::Yes), at(4)).await.unwrap();
    assert_eq!((told.state, told.owner.is_some()), (TaskState::Waiting, true));
    let woken = store.record(&task.id, &fence, vec![Fact::Woken], at(5)).await.unwrap();
    assert_eq!((woken.state, woken.waits_for), (TaskState::Running, None));
}

pub(crate) async fn nobody_waits_for_an_answer_that_came_before(store: &Store) {
    let decisions =
        [answered("a", Says::Yes), answered("b", Says::No), Fact::Withdrawn { approval: approval("c") }];
    for (name, decision) in ["a", "b", "c"].into_iter().zip(decisions) {
        // Whoever held its page was told, and was gone before it could go on.
        let (task, fence) = under_way(store, name).await;
        store.record(&task.id, &fence, vec![asked(name), parked(name)], at(3)).await.unwrap();
        store.say(&task.id, decision, at(4)).await.unwrap();
        let left = store.say(&task.id, Fact::Released { why: "a restart".into() }, at(5)).await.unwrap();
        assert_eq!((left.state, left.waits_for), (TaskState::Queued, None), "{name}");
        let again = store.claim(&owner("me"), at(6)).await.unwrap().unwrap();
        store.record(&task.id, &again.fence().unwrap(), vec![ended()], at(7)).await.unwrap();
    }
    // A question that is of no interest any more is none to wait for.
    let (task, fence) = under_way(store, "d").await;
    store.record(&task.id, &fence, vec![asked("d"), parked("d")], at(3)).await.unwrap();
    store.say(&task.id, Fact::Released { why: "a restart".into() }, at(4)).await.unwrap();
    let left = store.say(&task.id, Fact::Withdrawn { approval: approval("d") }, at(5)).await.unwrap();
    assert_eq!((left.state, left.waits_for), (TaskState::Queued, None));
}

pub(crate) async fn what_was_about_to_be_sent_by_somebody_who_is_gone_is_unknown(store: &Store) {
    let (task, fence) = under_way(store, "a").await;
    store.record(&task.id, &fence, vec![asked("q"), asked("unasked")], at(3)).await.unwrap();
    store.answer(&approval("q"), verdict(Says::Yes), at(4)).await.unwrap();
    store.record(&task.id, &fence, vec![committing("i", Some("q"))], at(5)).await.unwrap();
    assert_eq!(store.intents(Fate::Open).await.unwrap().len(), 1);
    store.say(&task.id, Fact::Requeued { why: "a restart".into() }, at(6)).await.unwrap();
    assert_eq!(store.intents(Fate::Open).await.unwrap(), []);
    let unknown = store.intents(Fate::Unknown).await.unwrap();
    assert_eq!((unknown.len(), unknown[0].what.as_str()), (1, "POST /order"));
    assert_eq!(store.approval(&approval("unasked")).await.unwrap().unwrap().standing, Standing::Withdrawn);
    let again = store.claim(&owner("me"), at(7)).await.unwrap().unwrap().fence().unwrap();
    let repeated = store.record(&task.id, &again, vec![committing("j", Some("q"))], at(8)).await;
    let used = Illegal::Decided(Standing::Used);
    assert!(matches!(&repeated, Err(StoreError::Illegal { why, .. }) if *why == used), "{repeated:?}");
}

pub(crate) async fn time_denies_and_takes_back_a_yes(store: &Store) {
    let (task, fence) = under_way(store, "a").await;
    let facts = vec![entry("x"), asked("yes"), asked("none"), parked("none")];
    store.record(&task.id, &fence, facts, at(3)).await.unwrap();
    store.answer(&approval("yes"), verdict(Says::Yes), at(4)).await.unwrap();
    store.say(&task.id, Fact::Released { why: "a restart".into() }, at(5)).await.unwrap();
    assert_eq!(store.expire(at(OVER - 1)).await.unwrap(), []);
    let too_early = store.say(&task.id, Fact::Expired { approval: approval("none") }, at(OVER - 1)).await;
    assert!(matches!(too_early, Err(StoreError::Illegal { why: Illegal::TooEarly, .. })), "{too_early:?}");
    let late = store.answer(&approval("none"), verdict(Says::Yes), at(OVER)).await;
    let over = Illegal::Decided(Standing::Expired);
    assert!(matches!(&late, Err(StoreError::Illegal { why, .. }) if *why == over), "{late:?}");
    let expired = store.expire(at(OVER)).await.unwrap();
    assert_eq!(expired.iter().map(|one| one.asking.id.0.as_str()).collect::<Vec<_>>(), ["yes"]);
    assert_eq!(store.approvals(Standing::Expired).await.unwrap().len(), 2);
    // The task is told by being next in line.
    assert_eq!(store.task(&task.id).await.unwrap().unwrap().state, TaskState::Queued);
    store.submit(id("b"), submission("b"), at(OVER)).await.unwrap();
    let refused = store.say(&id("b"), answered("yes", Says::Yes), at(3)).await;
    assert!(matches!(refused, Err(StoreError::Illegal { why: Illegal::NoQuestion, .. })), "{refused:?}");
}
